"""Finds the parameters that are the elements of a vector or matrix by their names: n1, n2, n3 for n, I11 to I33 for I.

Evaluates nothing.
"""

from __future__ import annotations

from cutset.compiler.instantiate.names.classes import ClassBody

# A name with one of these kinds is itself what a value is given for.
_HIDDEN = ("local", "cut")
_LARGEST = 9


def elements_named(body: ClassBody, name: str) -> tuple[tuple[str, ...], ...]:
    """The names of the elements, row by row, if the class has them as scalar parameters, but nothing called `name` that
    could have a value; a vector has rows of one name. Empty if it stands for no elements. An element above the
    diagonal that is no parameter is the one below it: the matrix is symmetric."""
    declared = body.variables.get(name)
    if declared is not None and declared.kind not in _HIDDEN:
        return ()
    vector = [f"{name}{k}" for k in range(1, _LARGEST + 2)]
    length = next(k for k, element in enumerate(vector) if not _is_scalar(body, element))
    if 1 < length <= _LARGEST:
        return tuple((element,) for element in vector[:length])
    diagonal = [f"{name}{k}{k}" for k in range(1, _LARGEST + 2)]
    size = next(k for k, element in enumerate(diagonal) if not _is_scalar(body, element))
    if not 1 < size <= _LARGEST:
        return ()
    rows = tuple(tuple(_element(body, name, i, j) for j in range(1, size + 1)) for i in range(1, size + 1))
    return rows if all(_is_scalar(body, element) for row in rows for element in row) else ()


def vector_of(body: ClassBody, element: str) -> tuple[str, ...]:
    """The names that may stand for a vector or a matrix with this parameter: n for n1, I1 and I for I11."""
    names = [element[:-k] for k in (1, 2) if element[-k:].isdigit() and len(element) > k]
    return tuple(name for name in names if any(element in row for row in elements_named(body, name)))


def _element(body: ClassBody, name: str, i: int, j: int) -> str:
    own, mirrored = f"{name}{i}{j}", f"{name}{j}{i}"
    return mirrored if i < j and own not in body.variables else own


def _is_scalar(body: ClassBody, name: str) -> bool:
    declared = body.variables.get(name)
    return declared is not None and declared.kind == "parameter" and not declared.dimensions
