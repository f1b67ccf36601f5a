"""Reads XML: text -> elements with their places. Reads nothing but the text: no entities, no document types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source, Span
from cutset.compiler.robots import messages

# A declaration may come only first in XML; what other readers of robots allow before it does not matter here.
_DECLARATION = re.compile(r"\A\s+<\?xml\b[^>]*\?>")
# A robot has about six levels.
_MOST_LEVELS = 50


@dataclass(eq=False)
class Element:
    """An element; `span` is its start tag up to the end of its name, `text` what is before its first child."""

    name: str
    attributes: dict[str, str]
    span: Span
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> Iterator[Element]:
        """The children of this name."""
        return (child for child in self.children if child.name == name)

    def walk(self) -> Iterator[Element]:
        """This element and all below, in the order of the text."""
        waiting: list[Element] = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)

    def first(self, name: str) -> Element | None:
        """The first child of this name."""
        return next(self.all(name), None)


def read_elements(source: Source) -> Element:
    """The root element. ModelError E150 if the text is not XML, or declares a document type or entities."""
    reader = _Reader(source)
    try:
        text = _DECLARATION.sub(lambda found: re.sub(r"\S", " ", found[0]), source.text)
        reader.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        place = reader.place(error.lineno, error.offset, 1)
        raise ModelError([messages.not_xml(expat.ErrorString(error.code), place)]) from None
    assert reader.root is not None
    return reader.root


def read_root(source: Source, name: str, wrong: Callable[[str, Span], Diagnostic]) -> Element:
    """The root element, whose name must be `name`: otherwise ModelError with the message `wrong` of its name and place;
    E150 as `read_elements`."""
    root = read_elements(source)
    if root.name != name:
        raise ModelError([wrong(root.name, root.span)])
    return root


class _Reader:
    def __init__(self, source: Source):
        self._source, self._open = source, list[Element]()
        self.root: Element | None = None
        # The text is decoded already: whatever its declaration says, it is UTF-8 here.
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.buffer_text = True
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._refuse

    def place(self, line: int, column: int, length: int) -> Span:
        """A range of this length; `line` counts from 1, `column` from 0."""
        return Span(self._source, line, column + 1, line, column + 1 + length)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        at = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber
        element = Element(name, attributes, self.place(*at, len(name) + 1))
        if len(self._open) >= _MOST_LEVELS:
            raise ModelError([messages.not_xml(f"elements are nested more than {_MOST_LEVELS} deep", element.span)])
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _characters(self, text: str) -> None:
        if self._open and not self._open[-1].children:
            self._open[-1].text += text

    def _end(self, _: str) -> None:
        self._open.pop()

    def _refuse(self, *_: Any) -> None:
        raise ModelError(
            [messages.document_type(self.place(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber, 9))]
        )
