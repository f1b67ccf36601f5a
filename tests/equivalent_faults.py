"""Lists the faults of `mutate` that change no result, with the reason: no test can notice them."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A file, a function there, and what is done in it, as `Fault.what` says it."""

    file: str
    function: str
    what: str


EQUIVALENT = {
    Place("compiler/expressions/arithmetic.py", "mul", "b.level < TIME  ->  b.level <= TIME"): (
        "two factors of the same level are brought into the order of their numbers a few lines below"
    ),
    Place("compiler/expressions/dense.py", "solved", "(*a, *b)  ->  (*b, *a)"): "the order inside `all`",
    Place("compiler/expressions/text.py", "_text", "3  ->  4"): "no operator binds more strongly than 3, an atom",
    Place("runtime/initial_system.py", "_ahead", "a > b  ->  a >= b"): "only pairs that differ are compared",
}
