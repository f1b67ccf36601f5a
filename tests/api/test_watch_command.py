"""``cutset watch``: what counts as a change, and a process that checks and runs again after each."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cutset.api.command_line.command import main
from cutset.api.command_line.watching import Watched, states_of

MODEL = "@parts\n\nmodel M\n  submodel (Part) p\nend\n"
PARTS = "model class Part\n  parameter k = 3\n  local x (start=k)\n  der(x) = 0*x\nend\n"


def test_changed_new_and_deleted_files_are_seen_once(tmp_path: Path) -> None:
    one, two, other = tmp_path / "one", tmp_path / "two", tmp_path / "other"
    one.write_text("1")
    watched = Watched()
    watched.add(states_of([one, two]))
    assert watched.take_changes() == set()
    one.write_text("12")
    two.write_text("2")
    other.write_text("3")
    assert watched.take_changes() == {one, two} and watched.take_changes() == set()
    two.unlink()
    assert watched.take_changes() == {two}
    same_size = one.stat()
    one.write_text("34")
    os.utime(one, ns=(same_size.st_atime_ns, same_size.st_mtime_ns + 10))
    assert watched.take_changes() == {one}


def test_a_change_between_reading_and_telling_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "file"
    read = states_of([file])
    file.write_text("1")
    watched = Watched()
    watched.add(read)
    assert watched.take_changes() == {file}
    watched.add(read)
    assert watched.take_changes() == set()


@pytest.mark.parametrize("words", [["-"], ["missing.mo"]])
def test_what_cannot_be_watched(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", *words]) == 2
    assert "watch needs a file" in (err := capsys.readouterr().err) or "there is no file 'missing.mo'" in err


def read_until(stream, text: str) -> str:
    """What comes up to the line with this text; the end of the process ends a wait in vain."""
    found = ""
    for line in stream:
        found += line
        if text in line:
            return found
    raise AssertionError(found)


def test_the_model_runs_again_when_an_included_file_is_saved(tmp_path: Path) -> None:
    (tmp_path / "m.mo").write_text(MODEL)
    (tmp_path / "parts.mo").write_text(PARTS)
    # A shell in the background ignores the signal, and so do its children.
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    program += "from cutset.api.command_line.command import main\nsys.exit(main())"
    command = [sys.executable, "-c", program, "watch", "m.mo", "--stop", "1", "--target", "python"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
    )
    (limit := threading.Timer(120, process.kill)).start()
    try:
        assert " p.x         3         3\n" in read_until(process.stdout, "write everything")
        (tmp_path / "parts.mo").write_text(PARTS.replace("k = 3", "k = 44"))
        assert "parts.mo\n" in (second := read_until(process.stdout, "write everything"))
        assert " p.x        44        44\n" in second
        (tmp_path / "parts.mo").write_text(PARTS.replace("0*x", "0*y"))
        assert "error[E211]: unknown name 'y'" in read_until(process.stdout, "1 error;")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    finally:
        limit.cancel()
        process.kill()
        process.wait()
