"""Computes the sizes of texts and of parts without inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cutset.api.diagram.parts import EQUATIONS, Part
from cutset.api.diagram.wiring import LEFT, RIGHT

# Of texts: names are bold.
NAME_SIZE, CLASS_SIZE, CUT_SIZE = 12.0, 10.5, 9.0
HEADER = 24.0
_PORT_STEP = 16.0
_LEAST_WIDTH, _LEAST_HEIGHT = 44.0, 38.0
_JUNCTION = 20.0
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


def leaf(part: Part, lefts: Sequence[str], rights: Sequence[str]) -> tuple[float, float, Ports]:
    """The width and the height of a part whose inside is not shown, with these cuts on its sides from top to bottom,
    and where they are."""
    shown = (lefts, rights) if not part.style else ()
    widest = [max((width_of(label_of(cut), CUT_SIZE) for cut in side), default=0.0) for side in shown] or [0.0]
    words = (name_width(part), width_of(short(part.class_name), CLASS_SIZE))
    middle = max(*words, width_of(hidden_words(part), CUT_SIZE)) + 12.0
    least, lowest = (_LEAST_WIDTH, _LEAST_HEIGHT) if not part.style else (_JUNCTION, _JUNCTION)
    width = max(middle + 2 * (max(widest) + 6.0 if max(widest) else 2.0), least) if part.style != "junction" else least
    most = max(len(lefts), len(rights))
    height = max(most * _PORT_STEP + 8.0, lowest + (10.0 if part.hidden else 0.0))
    ports = Ports()
    for side, cuts in ((LEFT, lefts), (RIGHT, rights)):
        for k, cut in enumerate(cuts):
            ports.side[cut] = side
            ports.height[cut] = float(round(height / 2 + (k - (len(cuts) - 1) / 2) * _PORT_STEP))
    return float(round(width)), float(round(height)), ports
