"""Random scalar expressions and statements of functions that mostly mean something, over names that are given."""

from __future__ import annotations

import random
from collections.abc import Sequence

NUMBERS = ("0", "1", "2", "3", "-1", "0.5", "1e3", "1e-9", "1e300")
ONE_ARGUMENT = ["sin", "cos", "tan", "asin", "exp", "log", "sqrt", "abs", "floor", "ceil", "sign", "noevent", "smooth"]
TWO_ARGUMENTS = ["atan2", "min", "max", "mod"]
RELATIONS = ("<", "<=", ">", ">=", "==", "<>")


def scalar(rng: random.Random, names: Sequence[str], calls: Sequence[str] = (), depth: int = 0) -> str:
    """An expression of `names` (which may hold indices) and of functions with two scalar arguments. A table stands
    where `time` is among the names: not in a function."""
    choice = rng.randrange(min(depth, 7), 12)
    if choice >= 7 or depth > 4 or (choice == 6 and "time" not in names):
        return rng.choice(names) if rng.random() < 0.7 else rng.choice(NUMBERS)
    inner = [scalar(rng, names, calls, depth + 1) for _ in range(3)]
    if choice <= 2:
        return f"({inner[0]} {rng.choice('+-*/^')} {inner[1]})"
    if choice == 3:
        return f"{rng.choice(ONE_ARGUMENT)}({inner[0]})"
    if choice == 4:
        function = rng.choice((*TWO_ARGUMENTS, *calls, *calls))
        whole = function in calls and rng.random() < 0.9  # it may be a size or an index
        return f"{function}({inner[0]}, {rng.choice('123') if whole else inner[1]})"
    if choice == 5:
        return f"(if {condition(rng, names, calls, depth + 1)} then {inner[0]} else {inner[1]})"
    return f"interp1({inner[1]}, [0, 1, 2], [{rng.choice(NUMBERS)}, 3, 2])"


def condition(rng: random.Random, names: Sequence[str], calls: Sequence[str] = (), depth: int = 0) -> str:
    """A relation, or two."""
    first = f"{scalar(rng, names, calls, depth + 2)} {rng.choice(RELATIONS)} {scalar(rng, names, calls, depth + 2)}"
    if depth > 4 or rng.random() < 0.8:
        return first
    return f"{first} {rng.choice(('and', 'or', 'and not'))} {condition(rng, names, calls, depth + 1)}"


def actions(
    rng: random.Random, targets: Sequence[str], names: Sequence[str], calls: Sequence[str] = (), depth: int = 0
) -> list[str]:
    """Some statements of a function: assignments to `targets`, branches, loops, assertions."""
    lines: list[str] = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.randrange(8) if depth < 3 else 0
        if kind <= 3:
            lines.append(f"{rng.choice(targets)} := {scalar(rng, names, calls)}")
            continue
        inner = actions(rng, targets, names, calls, depth + 1)
        test = condition(rng, names, calls, 2)
        if kind == 4:
            other = actions(rng, targets, names, calls, depth + 1)
            lines += [f"if {test} then", *inner, "else", *other, "endif"]
        elif kind == 5:
            index = f"k{depth}"
            bounds = rng.choice(("1..3", "1..0", "1..n", "-1..1", f"1..{scalar(rng, names, calls, 5)}"))
            inner = actions(rng, targets, [*names, index], calls, depth + 1)
            lines += [f"for {index} = {bounds} do", *inner, "endfor"]
        elif kind == 6:
            target = rng.choice(targets)
            lines += [f"while {target} < 5 and {test} do", *inner, f"{target} := {target} + 1", "endwhile"]
        else:
            lines.append(f'assert n < 4 or {test}, "asserted"')
    return lines
