"""Compiles C files into a shared library and keeps it in the disk cache. Loads nothing.

The key of a library is its content: compiler, flags and all files together. Several processes may fill the cache at
once, since a finished library is renamed into place.
"""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from cutset.contract.cache import DiskCache, package_cache, user_cache
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError
from cutset.runtime.processor import register_flags, scalar_flags
from cutset.runtime.targets.c_files import c_files, included

# Fused multiply-add would make results depend on the processor and differ from the Python target.
_COMMON = ("-fPIC", "-shared", "-ffp-contract=off")
_MODEL = "model.c"
_LOOPS = "driver.c"
# Files with functions in C that the model names, and those that call them.
_FOREIGN = "foreign_"
# In functions of many thousand lines these passes take half of gcc's time and find nothing: no value is computed twice.
_GCC = ("-fno-dse", "-fno-tree-dse", "-fno-tree-fre", "-fno-tree-dominator-opts", "-fno-tree-ter")
# For the loops that all models share, which are compiled once for an installation. Neither flag changes a result.
_VECTORS = ("-O3", "-fno-trapping-math")
_ONCE = '-DCUTSET_ONCE=__attribute__((optimize("O0")))'
_CANDIDATES = ("cc", "gcc", "clang", "tcc")


@dataclass(frozen=True)
class Compiler:
    """A C compiler: the words of its command, suitable flags, and what identifies its version."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    identity: str


class BuildError(RunError):
    """The C compiler failed; the notes hold the command and the first lines of its output."""

    def __init__(self, command: tuple[str, ...], output: str):
        first = [line for line in output.splitlines() if line.strip()][:8]
        import tempfile

        hint = "name another compiler in the environment variable CC"
        if _is_full(output):
            hint = (
                f"free some space in {tempfile.gettempdir()}, or name another folder in the environment variable TMPDIR"
            )
        super().__init__(
            "E606",
            "the C compiler failed to compile the generated code",
            hint,
            ["command: " + shlex.join(command), *first],
        )


def _is_full(output: str) -> bool:
    return any(os.strerror(number) in output for number in (errno.ENOSPC, errno.EDQUOT))


def find_compiler() -> Compiler | None:
    """The compiler that $CC names, else the first of cc, gcc, clang and tcc on PATH, else the one in the package
    ziglang, else None. Optimizes with -O1 unless the arguments in $CC say otherwise. RunError E608 if the compiler in
    $CC does not exist. The flags are those for this processor: libraries do not go to other machines."""
    named = os.environ.get("CC", "").strip()
    if named:
        return _named(named)
    for name in _CANDIDATES:
        program = shutil.which(name)
        if program:
            return _on_path(program, [])
    if importlib.util.find_spec("ziglang"):
        # zig checks for undefined behavior by default, which makes the code 100 times slower.
        flags = ("-O1", "-fno-sanitize=undefined", *_COMMON)
        return Compiler((sys.executable, "-m", "ziglang", "cc"), flags, _zig_version())
    return None


def for_one_model(compiler: Compiler) -> Compiler:
    """The compiler, if it is gcc with a flag that leaves out functions that run once: to optimize them takes longer
    than to run them."""
    return replace(compiler, flags=(*compiler.flags, _ONCE)) if _GCC[0] in compiler.flags else compiler


def _named(command: str) -> Compiler:
    """The compiler of a command, which may include arguments. RunError E608 if there is none."""
    with suppress(ValueError, OSError):  # an unclosed quote; a program deleted meanwhile
        words = shlex.split(command)
        program = shutil.which(words[0]) if words else None
        if program:
            return _on_path(program, words[1:])
    raise RunError(
        "E608",
        f"the C compiler {command!r} in the environment variable CC was not found",
        "set CC to a compiler that is on the path, or unset it",
    )


def _on_path(program: str, arguments: list[str]) -> Compiler:
    # The file identifies the version: asking the compiler would cost a process at every start.
    path = Path(program).resolve()
    stamp = path.stat()
    level = () if any(argument.startswith("-O") for argument in arguments) else ("-O1",)
    own = *level, *_COMMON, *scalar_flags(), *register_flags()
    flags: tuple[str, ...] = ("-shared",) if path.name.endswith("tcc") else own
    if sys.platform == "linux" and "gcc" in path.name:  # elsewhere gcc may be the name of another compiler
        flags += _GCC
    return Compiler((program, *arguments), flags, f"{path} {stamp.st_size} {stamp.st_mtime_ns}")


def _zig_version() -> str:
    from importlib.metadata import version

    return f"ziglang {version('ziglang')}"


@contextmanager
def shared_library(texts: Mapping[str, str], compiler: Compiler, fresh: bool = False) -> Iterator[Path]:
    """A library compiled from the files (name -> text; .c files are compiled, the others are placed next to them).

    `fresh` compiles it even if the cache has one. The path is valid inside the ``with`` block only: without a cache the
    file is deleted at its end; a loaded library survives that. BuildError if the compiler fails.
    """
    cache, key = user_cache(), _content_key(texts, compiler)
    kept = cache.library(key) if cache and not fresh else None
    if kept:
        yield kept
        return
    with ExitStack() as scratch:
        built = _built(texts, compiler, cache, scratch)
        if cache:
            built = cache.keep_library(key, built)
        yield built


def _built(texts: Mapping[str, str], compiler: Compiler, cache: DiskCache | None, scratch: ExitStack) -> Path:
    """The library in a folder that `scratch` deletes: inside the cache, or elsewhere if that fails, as on a full
    disk."""
    if cache:
        with suppress(OSError, BuildError):
            return _compile(texts, compiler, Path(scratch.enter_context(cache.scratch())), cache)
    import tempfile

    try:
        folder = Path(scratch.enter_context(tempfile.TemporaryDirectory(prefix="cutset-")))
        return _compile(texts, compiler, folder, None)
    except OSError as error:
        raise BuildError(compiler.command, str(error)) from error


def _content_key(texts: Mapping[str, str], compiler: Compiler) -> str:
    import platform

    parts = [platform.machine(), compiler.identity, *compiler.command, *compiler.flags, *_VECTORS]
    ours, digests = c_files(), _digests()
    for name in sorted(texts):
        parts += [name, digests[name] if texts[name] is ours.get(name) else texts[name]]
    # The lengths distinguish ("ab", "c") from ("a", "bc").
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()[:32]


@lru_cache
def _digests() -> Mapping[str, str]:
    """Of the files of runtime/c, which are long."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in c_files().items()}


def _compile(texts: Mapping[str, str], compiler: Compiler, folder: Path, cache: DiskCache | None) -> Path:
    sources = sorted(name for name in texts if name.endswith(".c") and "/" not in name)
    # Code that all models share is compiled once; for a small model it takes longest.
    shared = [_object(name, texts, compiler, folder, cache) for name in sources if name != _MODEL]
    _write([_MODEL, *included(texts[_MODEL])], texts, folder)
    compile_with((*compiler.command, *compiler.flags, _MODEL, *shared, "-o", "library.so", "-lm"), folder, "library.so")
    return folder / "library.so"


def _write(names: Iterable[str], texts: Mapping[str, str], folder: Path) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(texts[name], encoding="utf-8")


def _object(source: str, texts: Mapping[str, str], compiler: Compiler, folder: Path, cache: DiskCache | None) -> str:
    """The name of the compiled source in `folder`. The caches are used: that of the package for the loops that all
    models share, else that of the user."""
    foreign = source.startswith(_FOREIGN)
    if source == _LOOPS:  # vectors of 512 bits are too wide for the arrays of most models
        compiler = replace(compiler, flags=tuple(f for f in compiler.flags if f not in register_flags()))
    others = {name: text for name, text in texts.items() if name != _MODEL and name.startswith(_FOREIGN) == foreign}
    name = f"{_content_key(others | {_MODEL: source}, compiler)}.o"
    caches = [each for each in (package_cache() if source == _LOOPS else None, cache) if each]
    for each in caches:
        kept = each.get(name)
        if kept is not None:
            (folder / name).write_bytes(kept)
            return name
    _write(texts, texts, folder)
    flags = [flag for flag in compiler.flags if flag not in ("-shared", *_GCC)]
    if source == _LOOPS and "-O1" in flags:
        flags += _VECTORS
    try:
        compile_with((*compiler.command, *flags, "-c", source, "-o", name), folder, name)
    except BuildError as error:
        if not foreign:
            raise
        raise _in_foreign(error, texts[source]) from error
    made = (folder / name).read_bytes()
    any(each.put(name, made) for each in caches)
    return name


def _in_foreign(error: BuildError, text: str) -> RunError:
    """The error for a C file of the model; the text that includes it lists the expected declarations."""
    lines = text.splitlines()
    expected = [line for line in lines[: lines.index("", 2)] if line.endswith(");")]
    hint = "give the functions the expected arguments, and check that the file compiles on its own"
    notes = [*(f"expected: {line}" for line in expected), *error.notes[1:]]
    file = lines[0].split('"')[1].partition("/")[2]
    return RunError("E659", f"the C file of the model does not compile: {file}", hint, notes)


def compile_with(command: tuple[str, ...], folder: Path, made: str) -> None:
    """Run a compiler in a folder. BuildError if the command fails or does not create the file `made`."""
    import subprocess

    run = partial(subprocess.run, command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    try:
        done = run()
        if done.returncode != 0 and "cache directory" in done.stderr:  # zig needs one, and the user's cannot be written
            done = run(env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(folder)})
    except OSError as error:
        raise BuildError(command, str(error)) from error
    if done.returncode != 0 or not (folder / made).exists():
        raise BuildError(command, done.stderr)
