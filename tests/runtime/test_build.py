"""Compilers, the cache, and what happens without them."""

from __future__ import annotations

import ctypes
import errno
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hand_written import load_model, source_files

import cutset
from cutset.contract.cache import DiskCache, cache_folder
from cutset.contract.model_json import model_info, model_json
from cutset.runtime.errors import RunError
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.targets import c_records, toolchain
from cutset.runtime.targets.build import build
from cutset.runtime.targets.c_files import c_files
from cutset.runtime.targets.toolchain import BuildError, find_compiler

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "cutset"


@pytest.fixture
def no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)


def script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_without_a_compiler_python_is_evaluated(no_compiler):
    assert find_compiler() is None
    model = build(source_files("oscillator"))
    none = np.zeros(0)
    assert model.target == "python" and len(model.derivatives(0.0, np.ones(2), none, model.bind({}), none)) == 2
    for do in (lambda: build(source_files("oscillator"), "c"), lambda: simulate(model, Experiment(1.0))):
        with pytest.raises(RunError) as raised:
            do()
        assert raised.value.code == "E608" and "cutset[zig]" in raised.value.hint


@needs_compiler
def test_without_a_compiler_relations_agree_with_the_point(monkeypatch):
    """A chain of relations, one of them in an equation to solve, at random points."""
    text = """model M
  local x, y, a, b, c, d (start=2)
  der(x) = a + time
  der(y) = c - d
  a = if x > y then 1 else -2
  b^3 + b = if a*x >= 0.2 or time > 0.5 then 3 else abs(y)
  c = if b < 1 and not x < 0.1 then d else sign(b - y)
  when sample(0, 1) then
    new(d) = x
  endwhen
end
"""
    rng = np.random.default_rng(1)
    points = rng.uniform(-1, 1, (50, 2)), rng.uniform(0, 1, 50)
    expected = cutset.loads(text).evaluate(points[1], points[0], target="c")
    monkeypatch.setattr("cutset.runtime.runs.many_points.find_compiler", lambda: None)
    monkeypatch.setattr("cutset.runtime.targets.newton._newton_in_c", lambda: None)
    found = cutset.loads(text).evaluate(points[1], points[0], target="python")
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    assert len(np.unique(np.round(expected[:, 0] - points[1]))) == 2


def test_compilers_are_found_in_order(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    for name in ("tcc", "clang", "gcc", "cc"):
        script(tmp_path, name, "exit 0")
        compiler = find_compiler()
        assert compiler is not None and Path(compiler.command[0]).name == name
        assert ("-ffp-contract=off" in compiler.flags) == (name != "tcc")
    monkeypatch.setenv("CC", f"{script(tmp_path, 'mycc', 'exit 0')} -m64")
    compiler = find_compiler()
    assert compiler is not None and compiler.command[1:] == ("-m64",) and "-O1" in compiler.flags
    monkeypatch.setenv("CC", f"{tmp_path / 'mycc'} -O0")
    compiler = find_compiler()
    assert compiler is not None and compiler.command[1:] == ("-O0",) and "-O1" not in compiler.flags


@pytest.mark.parametrize("command", ["no-such-compiler", "no-such-compiler -m64", "cc 'open", "/tmp"])
def test_a_compiler_that_is_named_has_to_be_there(command, monkeypatch):
    monkeypatch.setenv("CC", command)
    with pytest.raises(RunError, match="in the environment variable CC was not found") as raised:
        build(source_files("oscillator"))
    assert raised.value.code == "E608" and repr(command) in raised.value.message
    assert build(source_files("oscillator"), "python").target == "python"


@needs_compiler
def test_failing_compiler_is_quoted(cache):
    files = dict(source_files("oscillator")) | {"model.c": "this is no C;\n"}
    with pytest.raises(BuildError) as raised:
        build(files, "c")
    assert raised.value.code == "E606"
    assert raised.value.notes[0].startswith("command: ") and "model.c" in raised.value.notes[0]
    assert "model.c" in raised.value.notes[1]
    assert not list(cache.glob("*.so"))


@needs_compiler
def test_cache_is_used_and_knows_its_content(cache, monkeypatch):
    build(source_files("oscillator"), "c")
    first = list(cache.glob("*.so"))
    assert len(first) == 1
    with monkeypatch.context() as patch:
        patch.setattr(toolchain, "_compile", lambda *_: pytest.fail("compiled again"))
        build(source_files("oscillator"), "c")
    changed = dict(source_files("oscillator"))
    changed["model.c"] = changed["model.c"].replace("s[0] = 1.0", "s[0] = 2.0")
    assert build(changed, "c").bind({}).s[0] == 2.0
    assert build(source_files("oscillator"), "c").bind({}).s[0] == 1.0
    assert len(list(cache.glob("*.so"))) == 2


@needs_compiler
def test_cache_that_cannot_be_written(tmp_path, monkeypatch):
    occupied = tmp_path / "file"
    occupied.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(occupied))
    assert build(source_files("oscillator"), "c").bind({}).s[0] == 1.0
    assert occupied.read_text() == ""


@needs_compiler
def test_zig_without_a_folder_for_its_cache_gets_one(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    real = shutil.which("tcc") or (find_compiler() or pytest.fail()).command[0]  # which is fast
    says = "echo 'error: unable to open global cache directory: NotDir' >&2; exit 1"
    script(tmp_path, "zig", f'[ -n "$ZIG_GLOBAL_CACHE_DIR" ] || {{ {says}; }}; exec {real} "$@" -O0')
    monkeypatch.setenv("CC", str(tmp_path / "zig"))
    assert build(source_files("oscillator"), "c").bind({}).s[0] == 1.0


@needs_compiler
def test_a_full_disk_is_named(tmp_path, monkeypatch):
    script(tmp_path, "full", "echo 'cc: error: model.s: No space left on device' >&2; exit 1")
    monkeypatch.setenv("CC", str(tmp_path / "full"))
    with pytest.raises(BuildError, match="failed to compile") as raised:
        build(source_files("oscillator"), "c")
    assert "free some space in" in raised.value.hint and "CC" not in raised.value.hint


@needs_compiler
def test_a_cache_that_is_full_does_not_stop_a_build(cache, monkeypatch):
    real = tempfile.TemporaryDirectory

    def full(dir=None, **given):
        if dir is not None:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(**given)

    monkeypatch.setattr(tempfile, "TemporaryDirectory", full)
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", full)
    monkeypatch.setattr(DiskCache, "_write", lambda *_: False)
    assert build(source_files("oscillator"), "c").bind({}).s[0] == 1.0
    assert list(cache.iterdir()) == []


@needs_compiler
def test_processes_share_the_cache(cache, tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from hand_written import source_files; from cutset.runtime.targets.build import build\n"
        "print(build(source_files('pendulum'), 'c').bind({}).s[0])\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = [process.communicate(timeout=120) for process in processes]
    assert [out for out, _ in outputs] == ["1.5\n"] * 3, outputs
    assert [path.suffix for path in cache.glob("*.so")] == [".so"]


@pytest.fixture
def commands(cache, monkeypatch) -> list[tuple[str, ...]]:
    """The commands of a fast compiler, all of whose caches are empty."""
    monkeypatch.setenv("CC", shutil.which("tcc") or shlex.join([*find_compiler().command, "-O0"]))
    run, given = toolchain.compile_with, []
    package = DiskCache(cache.parent / "package", most=2_000_000)
    package.folder.mkdir()
    monkeypatch.setattr(toolchain, "package_cache", lambda: package)
    monkeypatch.setattr(toolchain, "compile_with", lambda command, *more: given.append(command) or run(command, *more))
    return given


@needs_compiler
def test_the_loops_are_compiled_once_for_all_models_and_users(commands, cache, monkeypatch):
    sources = [source_files("oscillator"), source_files("stiff")]
    build(sources[0], "c")
    assert [command for command in commands if "driver.c" in command] == commands[:1] and len(commands) == 2
    build(sources[1], "c")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parent / "another"))
    build(sources[1], "c")
    monkeypatch.setenv("CUTSET_CACHE", "off")
    build(sources[1], "c")
    assert len(commands) == 5 and not any("driver.c" in command for command in commands[1:])
    (cache.parent / "package" / "old.o").write_bytes(bytes(1_999_000))
    os.utime(cache.parent / "package" / "old.o", (0, 0))
    (cache.parent / "package" / "last.trim").unlink()
    monkeypatch.setenv("CC", os.environ["CC"] + " -DOTHER")
    build(sources[1], "c")
    assert "driver.c" in commands[5] and not (cache.parent / "package" / "old.o").exists()


@needs_compiler
def test_gcc_does_not_optimize_what_runs_once(cache, monkeypatch):
    run, given = toolchain.compile_with, []
    monkeypatch.setattr(toolchain, "compile_with", lambda command, *more: given.append(command) or run(command, *more))
    build(source_files("oscillator"), "c")
    is_gcc = sys.platform == "linux" and "gcc" in Path(given[-1][0]).resolve().name
    assert is_gcc is ('-DCUTSET_ONCE=__attribute__((optimize("O0")))' in given[-1])


@needs_compiler
def test_only_the_model_is_compiled_with_more_registers(commands, tmp_path, monkeypatch):
    real = os.environ["CC"]
    monkeypatch.setattr(toolchain, "register_flags", lambda: ("-DMORE",))
    for name, takes_them in (("gcc", True), ("tcc", False)):  # whatever runs under these names
        commands.clear()
        monkeypatch.setenv("CC", str(script(tmp_path, name, f'exec {real} "$@"')))
        build(source_files("oscillator"), "c")
        assert ["-DMORE" in command for command in commands] == [False, takes_them]


@needs_compiler
def test_the_loops_are_in_the_cache_of_the_user_if_that_of_the_package_is_closed(commands, cache):
    (cache.parent / "package").rmdir()
    build(source_files("oscillator"), "c")
    build(source_files("stiff"), "c")
    assert ["driver.c" in command for command in commands] == [True, False, False] and len(list(cache.glob("*.o"))) == 1


def test_cache_folder_of_a_user(monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", os.sep + "someone")
    assert cache_folder() == Path("/someone/.cache/cutset")


@needs_compiler
def test_structures_are_laid_out_as_in_c(tmp_path):
    compiler = find_compiler()
    records = {name[7:]: record for name, record in c_records._KINDS.items() if name.startswith("struct ")}
    assert "cutset_events" in records
    checks = [
        f'_Static_assert(offsetof(struct {name}, {field}) == {getattr(record, field).offset}, "{field}");'
        for name, record in records.items()
        for field, _ in record._fields_
    ]
    checks += [f'_Static_assert(sizeof(struct {name}) == {ctypes.sizeof(r)}, "size");' for name, r in records.items()]
    source = tmp_path / "offsets.c"
    for name, text in {**c_files(), source.name: "\n".join(['#include "driver.c"', *checks])}.items():
        (tmp_path / name).write_text(text)
    command = [*compiler.command, "-std=c11", "-fsyntax-only", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[:2000]


@needs_compiler
def test_repeat_evaluates_the_right_hand_side():
    model = load_model("oscillator", "c")
    values, x, dx, work = model.bind({}), np.array([0.5, 0.25]), np.zeros(2), np.zeros(1)
    empty = np.zeros(0)
    arrays = [c_records.address(a) for a in (x, empty, values.c, empty, work, dx)]
    model.functions.repeat(1000, 0.0, *arrays)
    assert np.array_equal(dx, model.derivatives(0.0, x, empty, values, empty))


def test_views_of_columns_are_read_right(model):
    """scipy hands over columns of a matrix; C sees only the address."""
    built = model("oscillator")
    values, none = built.bind({}), np.zeros(0)
    matrix = np.array([[1.0, 2.0], [3.0, 4.0]])
    column = built.derivatives(0.0, matrix[:, 0], none, values, none)
    assert np.array_equal(column, built.derivatives(0.0, np.array([1.0, 3.0]), none, values, none))


def test_an_empty_array_has_an_address_without_an_exception():
    numbers = np.array([1.5])
    assert ctypes.c_double.from_address(c_records.address(numbers)).value == 1.5
    assert c_records.address(np.zeros(0)) == c_records.address(np.zeros((0, 3))) != 0


def test_metadata_is_read_back():
    info = model_info(source_files("oscillator")["model.json"])
    assert model_info(model_json(info)) == info
    assert info.names["spring.s"].sign == -1 and info.origins[0].place == "oscillator.mo:5:3"
