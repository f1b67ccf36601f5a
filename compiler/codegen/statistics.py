"""Describes the size of a translation, and which values its parameters take.

A run from the disk cache loads this file of the stage only.
"""

from __future__ import annotations

from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Work:
    """The operations of one evaluation that the equations of a submodel need."""

    instance: str
    mul_div: int
    add_sub: int
    functions: int

    @property
    def weight(self) -> int:
        """The approximate cost: a function takes about as long as ten products."""
        return self.mul_div + self.add_sub + 10 * self.functions


@dataclass(frozen=True)
class Statistics:
    """Sizes of the translation, and operations of one evaluation of the derivatives and outputs of the model, or of all
    its variables if it has neither (without parameter expressions)."""

    equations: int
    unknowns: int
    states: int
    aliases: int
    blocks: int
    linear_systems: tuple[tuple[int, int], ...]
    nonlinear_systems: tuple[tuple[int, int], ...]
    mul_div: int
    add_sub: int
    functions: int
    differentiated_equations: int
    discrete: int
    whens: int
    initial_equations: int
    assertions: int
    delays: int
    relations: int
    start_linear_systems: tuple[tuple[int, int], ...]
    start_nonlinear_systems: tuple[tuple[int, int], ...]
    work: tuple[Work, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """The allowed values of a parameter, an input or a start value, which messages call `kind`: the names of its values
    if its type is an enumeration; limits, as far as they are numbers at translation; whether it is a whole number.
    `place` is that of its declaration."""

    literals: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    is_whole: bool
    place: str
    kind: str = "parameter"
