"""Systems of equations written by name, for the tests of the structural stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from cutset.compiler.structure.plan import Incidence


class System:
    """Equations as lists of names, 'x', 'der x', 'der der x'; variables are numbered by first appearance in `order`,
    then in the equations, each before its derivatives."""

    def __init__(self, equations: Sequence[str], order: str = "", preference: Mapping[str, int] | None = None):
        self.number: dict[str, int] = {}
        for name in order.split():
            self._add(name)
        rows = [sorted({self._add(name.strip()) for name in text.split(",") if name.strip()}) for text in equations]
        derivative = tuple(self.number.get("der " + name, -1) for name in self.number)
        preferences = preference or {}
        self.incidence = Incidence(
            tuple(map(tuple, rows)), derivative, tuple(preferences.get(name, 0) for name in self.number)
        )

    def _add(self, name: str) -> int:
        if name.startswith("der "):
            self._add(name.removeprefix("der "))
        return self.number.setdefault(name, len(self.number))

    def names(self, numbers: Sequence[int], derivative: Sequence[int]) -> list[str]:
        """Back to names; `derivative` is the plan's, so that created variables have names too."""
        name = {number: text for text, number in self.number.items()}
        for variable, its_derivative in enumerate(derivative):  # a created one follows its integral
            if its_derivative >= 0:
                name.setdefault(its_derivative, "der " + name[variable])
        return [name[number] for number in numbers]


@pytest.fixture
def system() -> type[System]:
    return System
