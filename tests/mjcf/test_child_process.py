"""MuJoCo's compiler in a process of its own: what it crashes or hangs on is a message, and its results are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cutset
from cutset.compiler.diagnostics import ModelError, Source, Span
from cutset.compiler.mjcf import child_process, convert
from cutset.compiler.mjcf.files import read_files
from cutset.compiler.robots.robot import Robot
from cutset.contract.plain_records import plain_of, record_of

pytest.importorskip("mujoco")

TEXT = """<mujoco><worldbody><body name="b"><joint name="j" damping="1"/><geom type="box" size=".1 .2 .3"/></body>
</worldbody><actuator><position joint="j" kp="3"/></actuator></mujoco>"""


class Kept(dict):
    """A store in memory."""

    def put(self, name: str, content: bytes) -> bool:
        self[name] = content
        return True


def written(folder: Path, text: str = TEXT) -> Path:
    path = folder / "robot.xml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os\nos.abort()", "MuJoCo's compiler failed: signal 6"),
        ("raise SystemExit('full')", "MuJoCo's compiler failed: exit code 1: full"),
        ("import time\ntime.sleep(1000)", "MuJoCo's compiler has not finished after 2 s"),
        ("import os\nprint('noise')\nos._exit(0)", "MuJoCo's compiler failed: it ends without an answer"),
    ],
)
def test_crash_and_hang_are_messages(code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "mujoco.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path / "fake")
    with pytest.raises(ModelError) as error:
        child_process.robot_of(path, TEXT, (), read_files(path, TEXT), seconds=2 if "sleep" in code else 60)
    (found,) = error.value.diagnostics
    assert found.code == "E156" and found.message.startswith(said) and found.span is not None


def test_missing_mujoco_is_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "mujoco.py").write_text("raise ImportError")
    monkeypatch.syspath_prepend(tmp_path / "fake")
    with pytest.raises(ModelError) as error:
        child_process.robot_of(path, TEXT, (), read_files(path, TEXT))
    assert [(each.code, each.span.source.name) for each in error.value.diagnostics] == [("E157", str(path))]


def test_robots_are_kept_until_a_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = tmp_path / "m.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    text = TEXT.replace("<worldbody>", '<asset><mesh name="m" file="m.obj"/></asset><worldbody>')
    path, store = written(tmp_path, text), Kept()
    runs: list[Path] = []
    robot_of = convert.robot_of
    monkeypatch.setattr(convert, "robot_of", lambda *given: runs.append(given[0]) or robot_of(*given))

    def robot() -> object:
        return plain_of(convert.read_robot(path, text, (), store)[0], Span)

    first = robot()
    assert convert.read_robot(path, text, (), store)[1] == (mesh,) and len(runs) == 1
    assert robot() == first and len(runs) == 1
    for name in store:
        store[name] = b'{"name": 1}'
    assert robot() == first and len(runs) == 2
    mesh.write_text(mesh.read_text() + "\n")
    assert robot() == first and len(runs) == 3


def test_robot_in_json_is_the_same(tmp_path: Path) -> None:
    path = written(tmp_path)
    files = read_files(path, TEXT)
    robot = child_process.robot_of(path, TEXT, (), files)
    plain = json.loads(json.dumps(plain_of(robot, Span)))
    assert record_of(Robot, plain, {Span: files.roots[0].span}) == robot
    span = Span(Source("x", ""), 1, 1, 1, 1)
    for damaged in ({}, {**plain, "joints": {}}, {**plain, "name": 3}, {**plain, "links": {"a": None}}, []):
        with pytest.raises(ValueError, match="is not"):
            record_of(Robot, damaged, {Span: span})


def test_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    # Some versions of MuJoCo log a warning into the current folder.
    text = TEXT.replace("<mujoco>", '<mujoco><compiler settotalmass="2"/><option><flag energy="enable"/></option>')
    with pytest.warns(cutset.NotImported):
        cutset.load(written(tmp_path, text))
    assert list((tmp_path / "here").iterdir()) == []
