"""Reads the lines of a netlist and of the files that it includes: text -> statements with their places.

Files are opened only in the folder of the netlist or below it, and in folders that the user allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source, Span
from cutset.compiler.spice import messages
from cutset.compiler.syntax.read import Unreadable, read_text

_MOST_FILES = 100
_COMMENT = re.compile(r"\s*(;|\$(?=\s)|//).*")
_INCLUDE = re.compile(r"\.(include|inc|lib)\s+(\"[^\"]*\"|'[^']*'|\S+)\s*(\S*)\s*$", re.IGNORECASE)
# A quoted or braced expression, a sign that separates, or a word.
_WORD = re.compile(r"\{[^{}]*\}|'[^']*'|\"[^\"]*\"|[=(),]|[^\s=(),{}'\"]+")


@dataclass(frozen=True)
class Statement:
    """A statement with its continuation lines; `words` are the parts of it."""

    text: str
    span: Span

    @property
    def words(self) -> list[str]:
        """Its words, quoted expressions, and the signs = ( ) and commas. ModelError E160 for a brace alone."""
        text = _joined(self.text)
        left = _WORD.sub("", text).split()
        if left:
            expected = "braces and quotes in pairs"
            raise ModelError([messages.wrong(f"{left[0][:1]} stands alone", expected, self.span)])
        return _WORD.findall(text)


def _joined(text: str) -> str:
    """Nested braces are one expression: inner ones become parentheses."""
    depth, found = 0, []
    for character in text:
        if character == "{":
            depth += 1
            found.append("{" if depth == 1 else "(")
        elif character == "}":
            found.append("}" if depth == 1 else ")")
            depth -= 1
        else:
            found.append(character)
    return "".join(found)


@dataclass(frozen=True)
class Lines:
    """The title, the statements and the files that were read besides the netlist."""

    title: str
    statements: tuple[Statement, ...]
    files: tuple[Path, ...]


def read_lines(path: Path, text: str, allowed: Sequence[Path] = ()) -> Lines:
    """The statements of the netlist, its includes expanded; nothing after .end. ModelError E160, E163."""
    reader = _Reader([each.resolve() for each in (path.absolute().parent, *allowed)])
    title = text.partition("\n")[0]
    statements = tuple(reader.read(Source(str(path), text), path.absolute().parent, skip=1))
    if reader.errors:
        raise ModelError(reader.errors)
    return Lines(title.strip(), statements, tuple(reader.files))


class _Reader:
    def __init__(self, folders: list[Path]):
        self._folders = folders
        self.files: list[Path] = []
        self.errors: list[Diagnostic] = []

    def read(self, source: Source, folder: Path, skip: int = 0) -> list[Statement]:
        found: list[Statement] = []
        for statement in _statements(source, skip):
            first = statement.text.split(None, 1)[0].lower()
            if first == ".end":
                break
            include = _INCLUDE.match(statement.text)
            if include is None:
                found.append(statement)
            elif include[3]:
                self.errors.append(messages.section(include[3], statement.span))
            else:
                found += self._included(include[2].strip("\"'"), folder, statement.span)
        return found

    def _included(self, name: str, folder: Path, span: Span) -> list[Statement]:
        path = folder / name
        if not any(path.resolve().is_relative_to(each) for each in self._folders):
            self.errors.append(messages.outside(name, span))
        elif len(self.files) >= _MOST_FILES:
            self.errors.append(messages.too_many(_MOST_FILES, span))
        else:
            self.files.append(path)
            try:
                return self.read(Source(str(path), read_text(path)), path.parent)
            except FileNotFoundError:
                self.errors.append(messages.no_file(name, span))
            except Unreadable as error:
                self.errors.append(messages.unreadable(name, str(error), span))
        return []


def _statements(source: Source, skip: int) -> Iterator[Statement]:
    """The statements after the first `skip` lines; those between .control and .endc are one statement."""
    text, first, last, controls = "", 0, 0, False
    for number, line in enumerate([*source.text.splitlines(), "*"], 1):
        word = line.strip().lower()
        if controls or number <= skip:
            controls = controls and not word.startswith(".endc")
            continue
        if word.startswith("+") and text:
            text, last = f"{text} {_COMMENT.sub('', line.strip()[1:])}", number
            continue
        if word and word[0] == "*" and number <= len(source.text.splitlines()):
            continue
        if text:
            yield Statement(text, Span(source, first, 1, last, len(source.line(last)) + 1))
        text, first, last = _COMMENT.sub("", line.strip()), number, number
        controls = word.startswith(".control")
