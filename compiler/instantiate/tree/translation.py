"""Collects what all submodels of a tree share while it is built: leaves, numbers that groups take, errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions.pool import PARAMETER, Expr, Pool
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.names.lookup import Functions
from cutset.compiler.instantiate.tree.perturbations import Perturbations
from cutset.compiler.observer import Observer
from cutset.contract.quick_dataclass import dataclass


class AfterUse(NamedTuple):
    """The leaf for the value of a variable after an event, and the first place that uses it."""

    leaf: Expr
    span: Span
    instance: str


@dataclass
class Translation:
    """One attempt to build a tree. `structural` names the parameters whose value decides what the model consists of:
    they are folded. `values` replace the model's values of parameters. `needed` collects parameters that turn out to be
    structural; `bindings` has the expression of each computed parameter's leaf. `counts` are the sizes of the groups of
    numbers in the last attempt, `numbered` those in this one, `counted` the groups whose count is used."""

    pool: Pool
    unfold: frozenset[str]
    structural: frozenset[str]
    diagnostics: list[Diagnostic]
    values: Mapping[str, float | str]
    functions: Functions
    observer: Observer
    counts: Mapping[str, int] = field(default_factory=dict)
    perturbations: Perturbations = field(default_factory=Perturbations)
    assumed: Iterator[float] | None = None  # for parameters of the root without a value, if it is a class
    draft: bool = False  # for those of all submodels; assertions do not count
    needed: set[str] = field(default_factory=set)
    bindings: dict[Expr, Expr] = field(default_factory=dict)
    derivatives: dict[Expr, Expr] = field(default_factory=dict)
    after: dict[Expr, AfterUse] = field(default_factory=dict)
    folded: dict[str, float | str] = field(default_factory=dict)
    submodels: int = 0
    is_full: bool = False  # too many submodels, which was reported: ignore the rest
    without_value: set[tuple[Span, Span]] = field(
        default_factory=set
    )  # parameters, and the submodels for which that was reported
    scalars: int = 0
    repetitions: int = 0
    numbered: dict[str, int] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)

    def show_errors(self) -> None:
        """Give the observer the errors so far, unless another attempt is necessary."""
        if self.diagnostics and not self.is_over:
            self.observer.errors(self.diagnostics)

    def group_size(self, group: str) -> int:
        """How many numbers of the group the model has, at least 1; a guess until the entire tree was built once."""
        self.counted.add(group)
        return max(1, self.counts.get(group, 0))

    def take(self, group: str, size: int) -> range:
        """The next numbers of the group."""
        taken = self.numbered.get(group, 0)
        self.numbered[group] = taken + size
        return range(taken + 1, taken + size + 1)

    @property
    def is_over(self) -> bool:
        """True if the rest of this attempt has no use."""
        return self.is_full or self.is_incomplete

    @property
    def is_incomplete(self) -> bool:
        """True if another attempt is necessary, with more structural parameters or other counts."""
        return bool(self.needed - self.structural) or self.is_miscounted

    @property
    def is_miscounted(self) -> bool:
        """True if a count was used that is not that of this tree."""
        return any(self.counts.get(group, 0) != self.numbered.get(group, 0) for group in self.counted)

    def number(self, value: Expr, what: str, span: Span, instance: str) -> float:
        """The number that a value has at translation. If it depends on parameters these become structural in the next
        attempt, so ModelError has no diagnostics; it has one if that cannot help."""
        if value.op == "constant":
            return float(value.data)
        parameters = self.parameters_under(value)
        if value.level > PARAMETER or parameters <= self.structural:
            raise ModelError([messages.not_constant(what, span, instance)])
        self.needed.update(parameters)
        raise ModelError([])

    def given_for_run(self) -> str:
        """The values of structural parameters that the run gives, for messages; empty if there are none."""
        given = [f"{name} = {value}" for name, value in self.values.items() if name in self.structural]
        return f" ({', '.join(given)} {'was' if len(given) == 1 else 'were'} set for this run)" if given else ""

    def parameters_under(self, value: Expr) -> set[str]:
        """The names of all parameters on which a value depends, directly or through bindings."""
        found: set[Expr] = set()
        waiting = [value]
        while waiting:
            leaves = {e for e in reachable(waiting) if e.op == "parameter"} - found
            found |= leaves
            waiting = [self.bindings[leaf] for leaf in leaves]
        return {str(leaf.data) for leaf in found}
