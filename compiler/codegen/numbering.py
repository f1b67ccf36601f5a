"""Numbers what all functions of a program share: user functions, faults, open systems, iterations."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.user_function import UserFunction


class Numbering:
    """Assigns numbers to user functions and faults in the order of their first use; `guesses` holds for each iteration
    the index of its first guess in w, `passes` are the late passes of all schedules."""

    def __init__(self, iterations: Sequence[Expr] = (), passes: LatePasses = LatePasses()) -> None:
        self.passes = passes
        self.user_functions: dict[UserFunction, int] = {}
        self.faults: dict[str, int] = {}
        self.open_systems: dict[str, int] = {}
        self.guesses: dict[Expr, int] = {}
        self.n_guesses = 0
        for node in iterations:
            self.guesses[node] = self.n_guesses
            self.n_guesses += 2 * len(node.data.unknowns) + 1

    def user_function(self, user_function: UserFunction) -> int:
        """The number of a user function, from 0."""
        return self.user_functions.setdefault(user_function, len(self.user_functions))

    def open_system(self, text: str) -> int:
        """The number of an open system, from 0; -1 if it leaves nothing undetermined."""
        return self.open_systems.setdefault(text, len(self.open_systems)) if text else -1

    def fault(self, text: str) -> int:
        """The number of a fault, from 1."""
        return self.faults.setdefault(text, len(self.faults) + 1)
