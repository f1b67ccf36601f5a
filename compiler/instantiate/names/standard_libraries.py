"""Finds the standard libraries that contain a class name, for messages. Reads files, and parses none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from cutset.compiler.diagnostics import Span
from cutset.stdlib import FOLDER

_CLASS = re.compile(r"^(?:model|cut)\s+(?:class|type)\s+(?:\([^)]*\)\s*)?(\w+)", re.MULTILINE)
_WITH_CUTS = re.compile(r"^model class(?: \((?:\w+\.)?(\w+)\))? (\w+)(.*?)^end$", re.MULTILINE | re.DOTALL)
_CUT = re.compile(r"^ +(?:main )?cut (?:\(([\w.]+)\) )?(.*)$", re.MULTILINE)
_UNIT = re.compile(r'unit="(.*?)"')
_PART = re.compile(r'^@"(.*?)"', re.MULTILINE)


def standard_libraries() -> list[str]:
    """The names of all libraries. Sorted."""
    return sorted(library for library in _classes() if "/" not in library)


def libraries_with(name: str) -> list[str]:
    """What to include with `@`: libraries, and those of their parts that they do not include. Sorted."""
    return sorted(library for library, classes in _classes().items() if name in classes)


def include_of(library: str) -> str:
    """The line that includes one of these."""
    return f'@"{library}"' if "/" in library else f"@{library}"


def enumerated(names: Iterable[str], word: str) -> str:
    """`a, b or c`, where `word` is the last conjunction."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


def sharing(part: str) -> list[str]:
    """The libraries that include a part, such as multibody/drives. Sorted."""
    return sorted(library for library, text in _texts().items() if part in _PART.findall(text) and "/" not in library)


def converters(one: Span, other: Span) -> list[str]:
    """The classes that have a cut of each of two classes of cuts of the libraries, which are declared there. A cut
    without class counts as one if its variables have the units of that class. Those with the fewest cuts first. Nothing
    converts frames, whose variables are arrays: a joint has a frame and a shaft, too."""
    lines = [span.source.line(span.line) for span in (one, other)]
    if not (one.source.is_shipped and other.source.is_shipped) or any(re.search(r"\w\(\d", line) for line in lines):
        return []
    kinds = [(span.text, _UNIT.findall(line)) for span, line in zip((one, other), lines, strict=True)]
    found: dict[str, int] = {}
    for name, (_, own) in _with_cuts().items():
        cuts = _cuts_of(name)
        fitting = [
            {given for given, units in cuts if given.rpartition(".")[2] == kind or (units == of and of and not given)}
            for kind, of in kinds
        ]
        if own and any(a != b for a in fitting[0] for b in fitting[1]):
            found[name] = len(cuts)
    return sorted(found, key=lambda name: found[name])


def _cuts_of(name: str) -> list[tuple[str, list[str]]]:
    """The class and the units of each cut, those of superclasses too."""
    base, own = _with_cuts().get(name, ("", []))
    return [*own, *(_cuts_of(base) if base not in ("", name) else [])]


@cache
def _with_cuts() -> dict[str, tuple[str, list[tuple[str, list[str]]]]]:
    """The superclass and the own cuts of each class."""
    found = (each for text in _texts().values() for each in _WITH_CUTS.finditer(text))
    return {
        each[2]: (each[1] or "", [(cut[1] or "", _UNIT.findall(cut[2])) for cut in _CUT.finditer(each[3])])
        for each in found
    }


@cache
def _texts() -> dict[str, str]:
    folder = Path(FOLDER)
    paths = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.mo")}
    return {name: path.read_text(encoding="utf-8") for name, path in paths.items()}


@cache
def _classes() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    texts = _texts()
    parts = {file: _PART.findall(text) for file, text in texts.items()}
    included = {part for several in parts.values() for part in several}
    for library in texts.keys() - included:
        for file in (library, *parts[library]):
            found.setdefault(library, set()).update(_CLASS.findall(texts[file]))
    return found
