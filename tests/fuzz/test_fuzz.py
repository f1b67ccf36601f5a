"""Any input is translated or ends in a message. A sample; ``python -m tests.fuzz`` tries as many as one has time
for."""

import string

import pytest
from fuzz.outcome import Input, TooSlow, check_error, input_number, lower_limits, outcome_of, within_limits
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_tree

GROUPS, SIZE = 2, 25
# More than the 5 s of the large runs: the machine that tests has other things to do.
PATIENCE = 15.0


@pytest.mark.parametrize("group", range(GROUPS))
def test_input(group, tmp_path, monkeypatch):
    """A sample of inputs. The first ones reach all stages: one that ends at the parser would find nothing behind it."""
    lower_limits(monkeypatch)
    faults, kinds = [], []
    for number in range(group * SIZE, (group + 1) * SIZE):
        outcome = outcome_of(input_number(0, number), tmp_path / "model.mo", PATIENCE)
        kinds.append(outcome.kind)
        if outcome.kind == "fault":
            faults.append(f"python -m tests.fuzz --first {number} --count 1: {outcome.detail}")
    assert faults == []
    assert kinds.count("evaluated") > 3
    stages = {kind[:2] for kind in kinds if kind.startswith("E")}
    assert group > 0 or (stages >= {"E1", "E2"} and stages & {"E3", "E4"})


def test_a_fault_is_seen(tmp_path, monkeypatch):
    def broken(*given):
        raise KeyError("x")

    monkeypatch.setattr("fuzz.outcome.compile_model", broken)
    assert "KeyError" in outcome_of(Input(b"model M\nend\n", tmp_path), tmp_path / "model.mo").detail


def test_limits():
    with pytest.raises(TooSlow), within_limits(seconds=0.2):
        while True:
            pass
    with pytest.raises(MemoryError), within_limits():
        bytearray(2**31)


def check_text(text):
    """Parses; every error has a code of this stage, a place inside the text, and can be shown."""
    try:
        syntax_tree = parse(Source("any", text))
    except ModelError as error:
        check_error(error)
        assert all(diagnostic.code.startswith("E1") for diagnostic in error.diagnostics)
        places = [(d.span.line, d.span.column) for d in error.diagnostics]
        assert places == sorted(places)
    else:
        assert print_tree(parse(Source("again", print_tree(syntax_tree)))) == print_tree(syntax_tree)


@given(st.text())
@example("\ufeff")
@example("model A\n{")
@example("\r\n\x00\x85")
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_characters(text):
    check_text(text)


@given(st.text(string.printable))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_ascii(text):
    check_text("model M\n" + text)


@pytest.mark.parametrize(
    "unit", ["(", "[", "{", '"', "-", "x=(\n", "model A\n", "end\n", "(]", "if a then ", "a<", "$"]
)
def test_much_of_the_same(unit):
    check_text("model M\n" + unit * 3000)
    check_text(unit * 3000)
