"""Names the elements of arrays in an FMU, so that compiler and runtime pass each as a number of its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

# The largest number of elements of one array.
MOST_ELEMENTS = 1000


def size_of(shape: Sequence[int]) -> int:
    """The number of elements; 1 for a scalar, whose shape is empty."""
    return prod(shape)


def element_names(name: str, shape: Sequence[int]) -> list[str]:
    """The names of the elements in the order in which an FMU passes them, row by row; that of the variable for a
    scalar."""
    if not shape:
        return [name]
    indices = product(*(range(1, n + 1) for n in shape))
    return [f"{name}[{','.join(map(str, index))}]" for index in indices]
