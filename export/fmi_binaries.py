"""Compiles the sources of an FMU into libraries: for this machine, and with ziglang for others. Loads nothing."""

from __future__ import annotations

import importlib.util
import platform
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import compile_with, find_compiler


@dataclass(frozen=True)
class Platform:
    """A kind of machines: its name in FMI 3.0, which is that of the folder, its folder in FMI 2.0, the extension of
    libraries, and its name for zig."""

    name: str
    folder: str
    extension: str
    target: str


PLATFORMS = (
    Platform("x86_64-linux", "linux64", ".so", "x86_64-linux-gnu.2.17"),
    Platform("aarch64-linux", "aarch64-linux", ".so", "aarch64-linux-gnu.2.17"),
    Platform("x86_64-windows", "win64", ".dll", "x86_64-windows-gnu"),
    Platform("x86_64-darwin", "darwin64", ".dylib", "x86_64-macos"),
    Platform("aarch64-darwin", "aarch64-darwin", ".dylib", "aarch64-macos"),
)
# With ziglang, an FMU is compiled for these.
_USUAL = ("x86_64-linux", "x86_64-windows", "x86_64-darwin", "aarch64-darwin")
# The integrator uses vectors; neither flag changes a result.
_OPTIMIZED = ("-O3", "-fno-trapping-math")
# Functions are visible only if their sources say so; a fused product and sum would change results.
_COMMON = ("-std=c11", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off", "-w")
_SYSTEMS = {"Linux": "linux", "Windows": "windows", "Darwin": "darwin"}
_MACHINES = {"AMD64": "x86_64", "arm64": "aarch64"}


def this_machine() -> str:
    """The name of the platform of this machine, which may be none of PLATFORMS."""
    machine = platform.machine()
    return f"{_MACHINES.get(machine, machine)}-{_SYSTEMS.get(platform.system(), platform.system().lower())}"


def chosen_platforms(names: Iterable[str] | None) -> tuple[Platform, ...]:
    """The platforms of these names; without names those that this machine can compile for. RunError E657 for an unknown
    one, or if the machine cannot compile for it."""
    own, has_zig = this_machine(), importlib.util.find_spec("ziglang") is not None
    has_compiler = has_zig or find_compiler() is not None
    if names is None:
        names = dict.fromkeys([*([own] if has_compiler else ()), *(_USUAL if has_zig else ())])
    known = {p.name: p for p in PLATFORMS}
    known.setdefault(own, Platform(own, own, ".so", own))
    names = tuple(names)
    for name in names:
        if name not in known:
            hint = f"name one of {', '.join(p.name for p in PLATFORMS)}"
            raise RunError("E657", f"'{name}' is not a platform of FMUs", hint)
        if not has_zig and (name != own or not has_compiler):
            hint = "pip install 'cutset[zig]' brings one; or export for this machine only"
            raise RunError("E657", f"this machine has no compiler for the platform {name}", hint)
    return tuple(known[name] for name in names)


def libraries(
    sources: Mapping[str, str], compiled: Sequence[str], version: int, platforms: Sequence[Platform], name: str
) -> dict[str, bytes]:
    """The libraries by their paths in the FMU. BuildError if a compiler fails."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="cutset-") as scratch:
        folder = Path(scratch)
        for file, text in sources.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        for each in platforms:
            made = f"library-{each.name}{each.extension}"
            _compile((*_command(each), f"-DFMI{version}_OVERRIDE_FUNCTION_PREFIX", *compiled), each, folder, made)
            where = each.folder if version == 2 else each.name
            found[f"binaries/{where}/{name}{each.extension}"] = (folder / made).read_bytes()
    return found


def _command(target: Platform) -> tuple[str, ...]:
    """The command of the compiler with its flags: that of this machine if it is for this machine."""
    compiler = find_compiler()
    zig = (sys.executable, "-m", "ziglang", "cc")
    if target.name == this_machine() and compiler is not None and compiler.command[:4] != zig:
        is_tcc = compiler.command[0].endswith("tcc")
        extra = () if is_tcc else _COMMON
        optimized = () if is_tcc or any(word.startswith("-O") for word in compiler.command) else _OPTIMIZED
        return (*compiler.command, *(extra or ("-shared",)), *optimized)
    return (*zig, "-target", target.target, *_COMMON, *_OPTIMIZED, "-fno-sanitize=undefined", "-s")


def _compile(command: tuple[str, ...], target: Platform, folder: Path, made: str) -> None:
    math = () if target.name.endswith("windows") else ("-lm",)
    compile_with((*command, "-o", made, *math), folder, made)
