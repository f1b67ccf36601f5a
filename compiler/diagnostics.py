"""Defines diagnostics and source places, and renders them as text.

An error in a model is a `Diagnostic` and travels in a `ModelError`. A bug in the compiler is any other exception; the
two never mix.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

# Nobody reads more errors than these.
MOST_SHOWN = 100
# The nearest name is searched among at most this many.
_MOST_COMPARED = 3000
# The fraction of letters that similar names share; CurrentSource and VSource share less.
_NEAR = 0.61
# Characters that a terminal takes for a command or that change the direction of text, each shown as a replacement.
_HIDDEN = {
    code: "\ufffd"
    for code in (*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
# Longer lines (of generated models, for example) are shown in part.
_WIDEST = 120


def visible(text: str) -> str:
    """The text with a replacement for each character that a terminal takes for a command or that changes the direction
    of text. All text of a model passes through here before it is shown."""
    return text.translate(_HIDDEN)


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.splitlines()


# What messages show in place of the folder of the standard library, which differs between machines.
STANDARD = "(the standard library)"


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """A model text and its path as the user wrote it; messages show `shown` instead if it is given. If it `sees_all`,
    it can name what is local to submodels. `library` is the file with which it is included, if any."""

    name: str
    text: str
    shown: str = ""
    sees_all: bool = False
    library: str = ""

    @property
    def is_shipped(self) -> bool:
        """True for a file of the standard library."""
        return self.shown.startswith(STANDARD)

    def line(self, number: int) -> str:
        """Line `number` (counted from 1) without its line end; empty past the end."""
        lines = _lines(self.text)
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def __repr__(self) -> str:
        return f"Source({self.name!r})"


_ZERO_TERM = re.compile(r" \+ (?:small_signal|white_noise)\(")


class Span(NamedTuple):
    """A range in a source; lines and columns count from 1, the end is exclusive."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.source.shown or self.source.name}:{self.line}:{self.column}"

    @property
    def text(self) -> str:
        """The text of the span, in one line."""
        lines = _lines(self.source.text)[self.line - 1 : self.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: self.end_column - 1]
        lines[0] = lines[0][self.column - 1 :]
        return visible(" ".join(line.strip() for line in lines))

    @property
    def equation(self) -> str:
        """The text of an equation without its terms that are zero in runs, small signals and noise."""
        text = self.text
        while (found := _ZERO_TERM.search(text)) is not None:
            depth, end = 1, found.end()
            while depth and end < len(text):
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            text = text[: found.start()] + text[end:]
        return text

    def to(self, end: Span) -> Span:
        """The span from the start of this one to the end of `end`."""
        return Span(self.source, self.line, self.column, end.end_line, end.end_column)


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that belongs to a message, with a remark on it."""

    span: Span
    text: str


class Edit(NamedTuple):
    """A change of the text that a remedy proposes. kind is 'replace': `old`, in the span of the message or all of the
    span if `old` is empty, becomes `new`; 'include': the line `new` comes before the models; or 'declare': the line
    `new` becomes the first of the model."""

    kind: Literal["replace", "include", "declare"]
    new: str
    old: str = ""


class Hint(str):
    """How to fix an error, in words, and as edits that an editor can make: alternatives, the best first."""

    edits: tuple[Edit, ...] = ()

    def __new__(cls, words: str, *edits: Edit) -> Hint:
        """The words with the edits."""
        made = super().__new__(cls, words)
        made.edits = edits
        return made


def edits_of(hint: str) -> tuple[Edit, ...]:
    """The edits of a hint; a plain string has none."""
    return hint.edits if isinstance(hint, Hint) else ()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message: code, text, place, and what may help. `instance` is the path of the submodel in which it was found,
    `hint` says how to fix it (a `Hint` also as edits), `labels` are further places, `notes` further facts; `severity`
    is error, warning or note."""

    code: str
    message: str
    span: Span | None = None
    hint: str = ""
    instance: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    severity: str = "error"


class ModelError(Exception):
    """The model is wrong. `diagnostics` holds all errors found, in the order of the text; `str` renders them."""

    def __init__(self, diagnostics: Iterable[Diagnostic]):
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.__str__())

    def __str__(self) -> str:
        return "\n\n".join(rendered(self.diagnostics))


def rendered(diagnostics: Sequence[Diagnostic]) -> list[str]:
    """Each diagnostic rendered; after MOST_SHOWN of them, a line says that there are more."""
    more = [f"there are more than these {MOST_SHOWN}"] if len(diagnostics) > MOST_SHOWN else []
    return [*map(render, diagnostics[:MOST_SHOWN]), *more]


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most similar to `name`; empty if none is similar."""
    candidates = sorted(known)
    same_letters = [k for k in candidates if k.lower() == name.lower()]
    if not same_letters and len(candidates) > _MOST_COMPARED:
        return ""
    same_letters = same_letters or [k for k in candidates if len(k) > 3 and sorted(k) == sorted(name)]
    if same_letters:
        return same_letters[0]
    small: dict[str, str] = {}
    for known_name in candidates:
        small.setdefault(known_name.lower(), known_name)
    close = difflib.get_close_matches(name, candidates, n=1, cutoff=_NEAR)
    close = close or [small[k] for k in difflib.get_close_matches(name.lower(), small, n=1, cutoff=_NEAR)]
    return close[0] if close else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint that proposes the most similar known name; empty if none is similar."""
    close = nearest(name, known)
    return Hint(f"did you mean '{close}'?", Edit("replace", close, name)) if close else ""


def one_of(name: str, known: Iterable[str]) -> str:
    """A hint that proposes the few known names that share half of their letters with `name`; empty if there are none.
    Useful for names of two letters."""
    candidates = sorted(known)
    if len(candidates) > _MOST_COMPARED:
        return ""
    close = difflib.get_close_matches(name, candidates, n=6, cutoff=0.5)
    edits = [Edit("replace", each, name) for each in close]
    return Hint(f"did you mean one of {', '.join(sorted(close))}?", *edits) if close else ""


def render(diagnostic: Diagnostic) -> str:
    """The message as plain text: code, place, excerpt with the span underlined, instance, notes, hint."""
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    if diagnostic.span is not None:
        lines += _excerpt("-->", diagnostic.span, "^", "")
    for label in diagnostic.labels:
        lines += _excerpt(":::", label.span, "-", label.text)
    if diagnostic.instance:
        lines.append(f"  = in:   {diagnostic.instance}")
    lines += ["  = note: " + note.replace("\n", "\n          ") for note in diagnostic.notes]
    if diagnostic.hint:
        lines.append(f"  = help: {diagnostic.hint}")
    return visible("\n".join(lines))


def _window(line: str, column: int, width: int) -> tuple[str, int, int]:
    """The part of a long line to show: the start of the span with some text before it, and the span's column and
    width."""
    if len(line) <= _WIDEST:
        return line, column, width
    first = max(0, min(column - 1 - _WIDEST // 3, len(line) - _WIDEST))
    shown = line[first : first + _WIDEST]
    head, tail = "... " if first else "", " ..." if first + _WIDEST < len(line) else ""
    column = column - first + len(head)
    return head + shown + tail, column, max(1, min(width, len(head) + len(shown) + 1 - column))


def shown_line(span: Span) -> tuple[str, int, int]:
    """The line of the start of a span, as excerpts show it; the column of the span in it (from 1); and the number of
    its characters that belong to the span."""
    source_line = span.source.line(span.line)
    last = span.end_column if span.end_line == span.line else len(source_line) + 1
    shown, column, width = _window(source_line, span.column, max(1, last - span.column))
    return visible(shown), column, width


def _excerpt(arrow: str, span: Span, mark: str, text: str) -> list[str]:
    number = str(span.line)
    gutter = " " * len(number)
    source_line, column, width = shown_line(span)
    # Tabs are kept in the padding so that the marks stay under the excerpt.
    padding = "".join("\t" if c == "\t" else " " for c in source_line[: column - 1])
    underline = f"{padding}{mark * width} {text}".rstrip()
    return [
        f" {gutter}{arrow} {str(span).replace(chr(10), chr(0xFFFD))}",
        f" {gutter} |",
        f" {number} | {source_line}",
        f" {gutter} | {underline}",
    ]
