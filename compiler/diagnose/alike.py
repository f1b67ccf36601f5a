"""Merges diagnostics that repeat for several submodels of one class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from cutset.compiler.diagnose.wording import in_short
from cutset.compiler.diagnostics import Diagnostic


def together(found: Iterable[Diagnostic], classes: Mapping[str, str]) -> list[Diagnostic]:
    """The first of those that differ only in the path of a submodel, in order; it names the others."""
    alike: dict[tuple[str, ...], list[tuple[Diagnostic, str]]] = {}
    for k, diagnostic in enumerate(found):
        path = _common(diagnostic.instance.split(", "))
        key = _text(diagnostic, path, classes[path]) if path in classes and path else (str(k),)
        alike.setdefault(key, []).append((diagnostic, path))
    return [_of_all(members) for members in alike.values()]


def _of_all(members: list[tuple[Diagnostic, str]]) -> Diagnostic:
    first, path = members[0]
    if len(members) == 1:
        return first
    paths = [other for _, other in members]
    note = f"the same holds for {in_short(paths[1:], 6)}; this message shows '{path}'"
    return replace(first, notes=(note, *first.notes))


def _common(paths: list[str]) -> str:
    """The submodel that contains all of them."""
    parts = [path.split(".") for path in paths]
    shared = 0
    while all(len(own) > shared and own[shared] == parts[0][shared] for own in parts):
        shared += 1
    return ".".join(parts[0][:shared])


def _text(diagnostic: Diagnostic, path: str, class_name: str) -> tuple[str, ...]:
    """The text without the path, and without the spaces that depend on its length in a table."""
    texts = (
        diagnostic.message,
        diagnostic.hint,
        diagnostic.instance,
        *diagnostic.notes,
        *(label.text for label in diagnostic.labels),
    )
    own = re.compile(rf"(?<![\w.)]){re.escape(path)}(?![\w(])")
    return class_name, diagnostic.code, *(" ".join(own.sub("*", text).split()) for text in texts)
