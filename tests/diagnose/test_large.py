"""The cause is found in seconds where the model is large, and it stays small."""

import pytest
from chain import chain_text
from work_counts import calls_of

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import compile_model


def ladder_text(cells):
    """Resistors and capacitors in a row, without a ground."""
    parts = [f"  submodel (Resistor) r{k}(R=1), c{k}(R=2)" for k in range(cells)]
    joins = [f"  connect r{k} at (n{k}, n{k + 1}), c{k} at (n{k + 1}, m)" for k in range(cells)]
    nodes = "  node m, " + ", ".join(f"n{k}" for k in range(cells + 1))
    return "\n".join(["@electrical", "model Ladder", *parts, "  submodel (VConst) V(V=1)", nodes,
                      "  connect V at (n0, m)", *joins, "end"])  # fmt: skip


def test_long_ladder_without_ground(write_model):
    def work(cells):
        path = write_model(ladder_text(cells))

        def compiled():
            with pytest.raises(ModelError) as caught:
                compile_model(path, None)
            (said,) = caught.value.diagnostics
            assert said.code == "E403" and len(str(caught.value).splitlines()) < 70

        return calls_of(compiled)

    work(10)  # reads the library
    assert work(100) < 2.6 * work(50)


def test_long_chain_that_is_turned_round(write_model):
    text = chain_text(8)
    first, _, rest = text.partition("  connect ")
    chain, _, others = rest.partition("\n")
    turned = " to ".join(reversed(chain.split(" to ")))
    with pytest.raises(ModelError) as caught:
        compile_model(write_model(f"{first}  connect {turned}\n{others}"), None)
    assert {d.code for d in caught.value.diagnostics} == {"E407"}


def test_many_parts_with_the_same_mistake(write_model):
    text = "model class A\n  local x, y\n  x = 2\nend\nmodel M\n  submodel (A) a(100)\nend\n"
    with pytest.raises(ModelError) as caught:
        compile_model(write_model(text), None)
    (said,) = caught.value.diagnostics
    assert said.notes[0] == "the same holds for a(2), a(3), a(4), a(5), a(6) and 14 more; this message shows 'a(1)'"
    assert "80 more sets of equations" in said.notes[-1]


def test_parts_with_different_mistakes(write_model):
    classes = "model class A\n  local x, y\n  x = 2\nend\nmodel class B\n  local x\n  x = 2\n  x = 3\nend\n"
    with pytest.raises(ModelError) as caught:
        compile_model(write_model(f"{classes}model M\n  submodel (A) a, c\n  submodel (B) b, d\nend\n"), None)
    notes = {(d.code, note) for d in caught.value.diagnostics for note in d.notes}
    assert {
        ("E402", "the same holds for c; this message shows 'a'"),
        ("E401", "the same holds for d; this message shows 'b'"),
    } <= notes
    assert len(caught.value.diagnostics) == 2


def test_too_large_to_look_for_the_place(write_model, monkeypatch):
    monkeypatch.setattr("cutset.compiler.expressions.dependent_rows.MOST_WORK", 0)
    text = "model M\n  local x(3), y(2)\n  x(1) + x(2) = 1\n  x(1) + 2*x(2) = 2\n  x(1) + 3*x(2) = time\nend\n"
    with pytest.raises(ModelError) as caught:
        compile_model(write_model(text), None)
    (said,) = caught.value.diagnostics
    assert said.code == "E401" and said.message == "the model has too many equations: 3 equations for 2 unknowns"
    assert said.notes == (
        "unknowns: 'x(1)', 'x(2)'", "the model is too large for a search for the smallest set of them",
    )  # fmt: skip
    assert [said.span.line, *(label.span.line for label in said.labels)] == [3, 4, 5]


@pytest.mark.parametrize(
    ("equations", "line", "note"),
    [
        (["x = 1", "y = 1", "x = 2"], 5, "combined, they give 0 = -1"),
        (["x = time"], 2, "unknowns: 'y'"),
        (["x + y = time", "x + 2*y = 0", "x + 3*y = 0"], 3, "unknowns: 'x', 'y'"),
    ],
    ids=["contradiction", "too few", "too many"],
)
def test_no_cause_is_found(equations, line, note, write_model, monkeypatch):
    """Then what a stage has seen is said all the same."""
    monkeypatch.setattr("cutset.compiler.diagnose.causes.groups_of", lambda matrix: [])
    with pytest.raises(ModelError) as caught:
        compile_model(write_model("\n".join(["model M", "  local x, y", *equations, "end"])), None)
    (said,) = caught.value.diagnostics
    assert said.code in ("E401", "E402") and note in said.notes and said.span.line == line
    assert said.notes[-1] == "no smaller set of them was found"
