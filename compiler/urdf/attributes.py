"""Reads the attributes of elements: numbers, vectors, poses; collects what is wrong."""

from __future__ import annotations

import math
import re
from typing import cast

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.robots.elements import Element
from cutset.compiler.robots.robot import Pose
from cutset.compiler.robots.rotations import Triple, axis_and_angle, of_roll_pitch_yaw
from cutset.compiler.urdf import messages

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LARGEST = 1e30


class Attributes:
    """Reads values; a wrong one becomes an entry of `errors` and has its default."""

    def __init__(self) -> None:
        self.errors: list[Diagnostic] = []

    def text(self, element: Element, name: str, owner: str) -> str:
        """A value that must be given; empty if it is not."""
        found = element.attributes.get(name, "").strip()
        if not found:
            self.errors.append(messages.missing(f"the attribute {name}", owner, element.span))
        return found

    def number(self, element: Element | None, name: str, default: float | None, owner: str) -> float:
        """A number; without a default it must be given."""
        found = None if element is None else element.attributes.get(name)
        if found is None or element is None:
            if default is None and element is not None:
                self.errors.append(messages.missing(f"the attribute {name}", owner, element.span))
            return default or 0.0
        return self._numbers(found, 1, name, element.span)[0]

    def at_least_zero(self, element: Element | None, name: str) -> float:
        """A number that is not negative; zero if it is not given."""
        found = self.number(element, name, 0.0, "")
        if found < 0 and element is not None:
            self.errors.append(messages.wrong_value(name, f"{found:g}", "at least 0", element.span))
        return found

    def content(self, element: Element) -> float:
        """The number between the tags of an element."""
        return self._numbers(element.text, 1, element.name, element.span)[0]

    def vector(self, element: Element | None, name: str, default: Triple) -> Triple:
        """Three numbers."""
        if element is None or name not in element.attributes:
            return default
        return cast(Triple, self._numbers(element.attributes[name], 3, name, element.span))

    def numbers(self, element: Element, name: str, count: int, owner: str) -> tuple[float, ...]:
        """So many numbers, which must be given."""
        found = self.text(element, name, owner)
        return self._numbers(found, count, name, element.span) if found else (0.0,) * count

    def pose(self, element: Element) -> Pose:
        """The `<origin>` of the element, the identity without one."""
        origin = element.first("origin")
        rpy = self.vector(origin, "rpy", (0.0, 0.0, 0.0))
        return Pose(self.vector(origin, "xyz", (0.0, 0.0, 0.0)), *axis_and_angle(rpy), of_roll_pitch_yaw(rpy))

    def _numbers(self, text: str, count: int, name: str, span: Span) -> tuple[float, ...]:
        words = text.split()
        values = [float(word) for word in words if _NUMBER.fullmatch(word)]
        if len(words) != count or len(values) != count or not all(abs(value) < _LARGEST for value in values):
            expected = "a number" if count == 1 else f"{count} numbers"
            self.errors.append(messages.wrong_value(name, text, expected, span))
            return (0.0,) * count
        return tuple(values)


def unit_vector(x: Triple) -> Triple | None:
    """The direction of x; None for zero."""
    length = math.hypot(*x)
    return None if length < 1e-12 else (x[0] / length, x[1] / length, x[2] / length)
