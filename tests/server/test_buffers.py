"""Texts of the editor that are not saved count in checks and runs; files that other programs change are not lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cutset.api.translate import translation
from cutset.runtime.errors import RunError
from cutset.server import checker
from cutset.server.folder import Changed, Folder, mark_of
from cutset.server.frames import Message
from cutset.server.session import Session
from cutset.server.worker import Answer, Channel

PART = "model class Part\n  parameter k = 2\n  local x (start=1)\n  der(x) = -k*x\nend\n"
WHOLE = "@part\nmodel Whole\n  submodel (Part) p\nend\n"


class Heard(Channel):
    """Keeps what is sent; `on_news` is called with it."""

    def __init__(self) -> None:
        with open("answers", "wb") as stream:
            super().__init__(stream)
        self.sent: list[dict[str, Any]] = []

    def send(self, kind: Answer, message: Message) -> None:
        self.sent.append(dict(message.data))


@pytest.fixture
def channel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_cache: object) -> Iterator[Heard]:
    monkeypatch.delenv("CUTSET_CACHE", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "part.mo").write_text(PART)
    (tmp_path / "whole.mo").write_text(WHOLE)
    yield Heard()


def test_a_check_takes_the_texts_of_the_editor(channel: Heard) -> None:
    check = checker.calls(channel, ())["check"]
    assert check("whole.mo", WHOLE).data["messages"] == []
    wrong = {"part.mo": PART.replace("k*x", "k*y")}
    (message,) = check("whole.mo", WHOLE, wrong).data["messages"]
    assert message["place"]["file"] == "part.mo" and message["place"]["line"] == 4
    assert check("whole.mo", WHOLE, {}).data["messages"] == []


def test_a_run_takes_the_texts_of_the_editor(channel: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the translation of the file nor that of the text is mistaken for the other; both are kept."""
    made: list[int] = []
    real = translation.translate_file
    monkeypatch.setattr(translation, "translate_file", lambda *given: made.append(1) or real(*given))
    session = Session(channel, ())
    edited = {"part.mo": PART.replace("k = 2", "k = 3")}
    for unsaved, k in (({}, 2.0), (edited, 3.0), ({}, 2.0), (edited, 3.0)):
        assert session.open("whole.mo", WHOLE, None, unsaved).parameters["p.k"] == k
    assert len(made) == 2
    Path("part.mo").write_text(PART.replace("k = 2", "k = 4"))
    assert session.open("whole.mo", WHOLE, None, edited).parameters["p.k"] == 3.0
    assert session.open("whole.mo", WHOLE, None).parameters["p.k"] == 4.0


def test_errors_are_told_before_and_their_end_long_before_the_check_ends(channel: Heard) -> None:
    check = checker.calls(channel, ())["check"]
    found = check("whole.mo", WHOLE.replace("(Part)", "(Prt)")).data["messages"]
    assert [each["code"] for each in channel.sent[0]["messages"]] == [each["code"] for each in found] == ["E205"]
    assert len(channel.sent) == 1  # nothing is told twice
    channel.sent.clear()
    missing = WHOLE.replace("end", "  local y\nend")  # an error of equations
    assert [each["code"][:2] for each in check("whole.mo", missing).data["messages"]] == ["E4"]
    assert channel.sent[0] == {"is_sound": True}


def test_a_further_request_ends_a_check(channel: Heard) -> None:
    call = checker.calls(channel, ())["check"]
    listen = threading.Event()

    def arrive() -> None:
        listen.wait(10)
        channel.requests.put({"call": "check"})
        channel.overtake()

    thread = threading.Thread(target=arrive)
    thread.start()
    real = translation.read_library

    def slow(*given: Any) -> Any:
        listen.set()
        for _ in range(10_000):  # an interrupt comes between two instructions
            threading.Event().wait(0.001)
        return real(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(translation, "read_library", slow)
        assert call("whole.mo", WHOLE).data["is_complete"] is False
    thread.join()
    assert call("whole.mo", WHOLE).data["is_complete"] is False  # the request still waits
    channel.take()
    assert call("whole.mo", WHOLE).data["is_complete"] is True


def test_a_user_who_types_ends_a_check_before_its_long_part(channel: Heard) -> None:
    check = checker.calls(channel, ())["check"]
    asked: list[float] = []
    channel.wait = lambda seconds: bool(asked.append(seconds)) or True  # type: ignore[method-assign]
    assert check("whole.mo", WHOLE, {}, True).data["is_complete"] is False and len(asked) == 1
    assert check("whole.mo", WHOLE, {}, False).data["is_complete"] is True and len(asked) == 1


def test_files_of_the_standard_library_are_shown_and_no_others(channel: Heard) -> None:
    calls = checker.calls(channel, ())
    text = "@electrical\nmodel M\n  submodel (Resistor) R\nend\n"
    place = calls["definition"]("m.mo", text, 2, 14).data["place"]
    assert "Resistor" in calls["library"](place["file"]).data["text"].split("\n")[place["line"]]
    for other in ("part.mo", "(the standard library)/../api/model.py", "(the standard library)/x.mo", "electrical.mo"):
        with pytest.raises(RunError):
            calls["library"](other)


def test_a_file_that_another_program_has_changed_is_not_overwritten(tmp_path: Path) -> None:
    folder, place = Folder.at(tmp_path), tmp_path / "part.mo"
    place.write_text(PART)
    read = mark_of(folder.read("part.mo"))
    folder.write("part.mo", "own", read)
    with pytest.raises(Changed):
        folder.write("part.mo", "again", read)
    place.write_text("other")
    with pytest.raises(Changed):
        folder.write("part.mo", "again", mark_of("own"))
    assert place.read_text() == "other"
    assert folder.marks(["part.mo", "none.mo", "../x.mo"]) == {
        "part.mo": mark_of("other"), "none.mo": None, "../x.mo": None,
    }  # fmt: skip
    folder.write("part.mo", "again")
    assert place.read_text() == "again"
