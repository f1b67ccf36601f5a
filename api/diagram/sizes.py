"""Computes the sizes of texts and of parts without inside."""

from __future__ import annotations

from dataclasses import dataclass, field

from cutset.api.diagram.parts import EQUATIONS, Part

# Of texts: names are bold.
NAME_SIZE, CLASS_SIZE, CUT_SIZE = 12.0, 11.0, 11.0
HEADER = 24.0
_LONGEST = 32
_NARROW = frozenset("iljtfrI.,:;'|!()[] -")
_WIDE = frozenset("mwMW@%")


@dataclass
class Ports:
    """Where the cuts of a part are on its border: the side, and the height below the top of the part."""

    side: dict[str, str] = field(default_factory=dict)
    height: dict[str, float] = field(default_factory=dict)


def short(text: str, longest: int = _LONGEST) -> str:
    """The text without its middle if it is too long to draw."""
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]}\N{HORIZONTAL ELLIPSIS}{text[-(longest // 2 - 1) :]}"


def width_of(text: str, size: float) -> float:
    """An upper estimate of the width of a text in a common font without serifs."""
    return size * sum(
        0.38 if c in _NARROW else 0.95 if c in _WIDE else 0.72 if c.isupper() else 0.6 if c.isascii() else 1.05
        for c in text
    )


def name_width(part: Part) -> float:
    """The width of the name of a part, in bold."""
    return width_of(short(part.name), 1.12 * NAME_SIZE)


def label_of(cut: str) -> str:
    """The text at a cut: its name, nothing for the ports of equations."""
    return "" if cut.startswith(EQUATIONS) else short(cut, 20)


def header_width(part: Part) -> float:
    """The width of the line with the name and the class of a part."""
    return name_width(part) + width_of(short(part.class_name), CLASS_SIZE) + 26.0


def hidden_words(part: Part) -> str:
    """The line that stands for the submodels that are not shown."""
    return f"{part.hidden} {'part' if part.hidden == 1 else 'parts'} inside" if part.hidden else ""
