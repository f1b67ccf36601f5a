"""When checks run, and what is shown while they do: the check itself is a stand-in."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from lsprotocol import types

from cutset.api.translate.editor_checks import EditorCheck
from cutset.compiler.diagnostics import Diagnostic, Source, Span
from cutset.lsp.checks import Checker, Outdated
from cutset.lsp.findings import Findings
from cutset.lsp.session import Session

ROOT = Path(__file__).parents[2]
PATH = "/models/m.mo"
PATIENCE = 60.0


def message(code: str) -> Diagnostic:
    return Diagnostic(code, f"wrong: {code}", Span(Source(PATH, "model M\nend\n"), 1, 1, 1, 6))


class Bench:
    """A checker whose check returns the messages with the codes in the text, as words."""

    def __init__(self) -> None:
        self.session = Session()
        self.shown: list[list[str]] = []
        self.came = threading.Condition()
        self.began, self.go_on, self.outdated = threading.Event(), threading.Event(), threading.Event()
        self.late: list[str] = []
        self.checked: list[str] = []
        self.checker = Checker(self.session, self.check, self.show, delay=0.0, rest=PATIENCE)

    def check(self, path, unsaved, progress) -> Findings:
        (text,) = unsaved.values()
        self.checked.append(text)
        if text.startswith("sound"):
            assert progress.shows_errors
            progress.sound()
        if "early" in text:
            progress.early(Findings(path, (message("E211"),), frozenset({path})))
        if "slow" in text:
            self.began.set()
            assert self.go_on.wait(PATIENCE)
            try:
                progress.proceed()
            except Outdated:
                self.outdated.set()
                raise
        if "rest" in text:
            self.began.set()
            progress.rest()
        if self.late:
            self.type(self.late.pop())
        if "bug" in text:
            raise ValueError("a bug")
        codes = [word for word in text.split() if word.startswith("E")]
        return Findings(path, tuple(map(message, codes)), frozenset({path}))

    def show(self, path: str, found: list[types.Diagnostic]) -> None:
        with self.came:
            self.shown.append([str(each.code) for each in found])
            self.came.notify_all()

    def type(self, text: str) -> None:
        self.session.open(PATH, text)
        self.checker.changed(PATH)

    def last_is(self, codes: list[str]) -> bool:
        with self.came:
            return self.came.wait_for(lambda: bool(self.shown) and self.shown[-1] == codes, PATIENCE)


@pytest.fixture
def bench():
    found = Bench()
    yield found
    found.go_on.set()
    found.checker.stop()


def test_messages_come_and_go(bench: Bench) -> None:
    bench.type("E205 E402")
    assert bench.last_is(["E205", "E402"])
    bench.type("fine")
    assert bench.last_is([]) and bench.checker.wait(PATIENCE)
    bench.session.close(PATH)
    bench.checker.changed()
    assert bench.checker.wait(PATIENCE) and bench.checker.findings() == []


def test_errors_of_names_go_before_the_equations_are_solved(bench: Bench) -> None:
    bench.type("E205 E402")
    assert bench.last_is(["E205", "E402"])
    bench.type("sound slow E402")
    assert bench.last_is(["E402"]) and bench.began.wait(PATIENCE)
    assert bench.shown[-1] == ["E402"]
    bench.go_on.set()
    assert bench.checker.wait(PATIENCE) and bench.shown[-1] == ["E402"]


def test_errors_of_names_come_while_the_check_goes_on(bench: Bench) -> None:
    bench.type("early slow E211 E242")
    assert bench.last_is(["E211"]) and bench.began.wait(PATIENCE)
    bench.go_on.set()
    assert bench.last_is(["E211", "E242"])


def test_what_came_early_goes_with_the_next_text(bench: Bench) -> None:
    bench.type("early slow E211")
    assert bench.last_is(["E211"]) and bench.began.wait(PATIENCE)
    bench.type("fine")
    bench.go_on.set()
    assert bench.last_is([]) and bench.checker.wait(PATIENCE)


def test_a_change_ends_the_check_of_the_text_before(bench: Bench) -> None:
    bench.type("slow E205")
    assert bench.began.wait(PATIENCE)
    bench.type("E206")
    bench.go_on.set()
    assert bench.last_is(["E206"]) and bench.outdated.is_set()
    assert ["E205"] not in bench.shown


def test_a_change_after_the_last_stage_is_checked(bench: Bench) -> None:
    bench.late.append("E402")
    bench.type("E205")
    assert bench.checker.wait(PATIENCE) and bench.shown[-1] == ["E402"]


def test_a_check_rests_before_its_long_stages_but_not_at_first(bench: Bench) -> None:
    bench.type("rest E205")
    assert bench.last_is(["E205"]) and bench.checker.wait(PATIENCE)
    bench.began.clear()
    bench.type("rest E206")
    assert bench.began.wait(PATIENCE)
    bench.type("E207")
    assert bench.last_is(["E207"]) and ["E206"] not in bench.shown


def test_a_text_that_comes_back_is_not_checked_again(bench: Bench) -> None:
    for text, codes in (("fine", []), ("E205", ["E205"]), ("fine", []), ("fine too", []), ("E205", ["E205"])):
        bench.checked.clear()
        bench.type(text)
        assert bench.last_is(codes) and bench.checker.wait(PATIENCE)
        assert bench.checked == ([] if text == "fine" and len(bench.shown) > 1 else [text])
    bench.checked.clear()
    bench.type("fine")
    assert bench.last_is([]) and bench.checker.wait(PATIENCE) and bench.checked == ["fine"]


@pytest.mark.parametrize("was_known", [False, True])
def test_a_file_that_changes_while_it_is_checked_is_checked_again(tmp_path: Path, was_known: bool) -> None:
    """The change falls between the moment at which the check reads the file and its end; the editor tells it later."""
    read, root = tmp_path / "part.mo", str(tmp_path / "whole.mo")
    read.write_text("E205", encoding="utf-8")
    changes, shown = [] if was_known else ["fine"], []

    def check(path, unsaved, progress) -> Findings:
        codes = [word for word in read.read_text(encoding="utf-8").split() if word.startswith("E")]
        if changes:
            read.write_text(changes.pop(), encoding="utf-8")
        return Findings(path, tuple(map(message, codes)), frozenset({str(read)}))

    session = Session()
    checker = Checker(session, check, lambda path, found: shown.append([each.code for each in found]), delay=0.0)
    session.open(root, "")
    checker.changed(root)
    assert checker.wait(PATIENCE) and shown[-1] == ["E205"]
    if was_known:
        changes += ["fine"]
        read.write_text("E206", encoding="utf-8")
        checker.changed(root)
        assert checker.wait(PATIENCE) and shown[-1] == ["E206"]
    checker.changed(root)
    assert checker.wait(PATIENCE)
    checker.stop()
    assert shown[-1] == []


class Counting:
    """A progress that ends the check when it is asked for the last time."""

    shows_errors = False

    def __init__(self, last: int) -> None:
        self.left = last

    def proceed(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Outdated

    def sound(self) -> None:
        raise AssertionError

    def early(self, findings: Findings) -> None:
        raise AssertionError

    rest = sound


def test_a_check_ends_within_its_longest_early_stage() -> None:
    """Asked once after the file is read, and twice for each of the five submodels before they are instantiated."""
    session, path = Session(), str(ROOT / "models" / "rc.mo")
    session.open(path, (ROOT / "models" / "rc.mo").read_text())
    for last in (2, 11):
        with pytest.raises(Outdated):
            EditorCheck(session)(path, session.unsaved(), Counting(last))


def test_a_bug_of_the_check_is_a_message(bench: Bench) -> None:
    bench.type("bug")
    assert bench.checker.wait(PATIENCE)
    (found,) = bench.checker.findings()
    assert "internal error: ValueError: a bug" in found.messages[0].message
    bench.type("fine")
    assert bench.last_is([])
