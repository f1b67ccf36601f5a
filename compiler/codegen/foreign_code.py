"""Writes the C files with which a program calls functions in C that are beside the model: functions -> files.

Each source of the user is a part of its own translation unit, which checks the arguments of its functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutset.compiler.expressions.user_function import UserFunction
from cutset.contract.metadata import External


def foreign_files(functions: Iterable[UserFunction]) -> dict[str, str]:
    """The files for all external functions of a program, by name: those in C are called by the number that they have
    among these functions. foreign_K.c includes the source of the user, which is with its headers in the folder
    foreign_K."""
    sources: dict[str, list[tuple[int, External]]] = {}
    texts: dict[str, tuple[tuple[str, str], ...]] = {}
    externals = ((f.foreign, f.texts) for f in functions if f.foreign is not None)
    for number, (external, included) in enumerate(externals):
        if external.is_c:
            sources.setdefault(external.path, []).append((number, external))
            texts[external.path] = included
    files: dict[str, str] = {}
    for k, (path, called) in enumerate(sources.items()):
        files |= {f"foreign_{k}/{name}": text for name, text in texts[path]}
        files[f"foreign_{k}.c"] = _unit(f"foreign_{k}/{texts[path][0][0]}", called)
    return files


def prototype(function: External) -> str:
    """The declaration that the source must fit: scalars are double; an array is a pointer to its elements, row by row;
    an array as the result is the last argument."""
    arguments = ["const double *" if shape else "double" for shape in function.shapes]
    arguments += ["double *"] if function.result else []
    return f"{'void' if function.result else 'double'} {function.name}({', '.join(arguments) or 'void'});"


def _unit(source: str, functions: Sequence[tuple[int, External]]) -> str:
    declared = dict.fromkeys(prototype(function) for _, function in functions)
    parts = [f'#include "{source}"', "", "/* The functions must have these arguments. */", *declared, ""]
    for number, function in functions:
        parts += [*_wrapper(number, function), ""]
    return "\n".join(parts)


def _wrapper(number: int, function: External) -> list[str]:
    """The function that takes the elements that vary, and gives those of the result."""
    lines, passed, given = [], [], 0
    for k, (shape, constants) in enumerate(zip(function.shapes, function.constants, strict=True)):
        elements = []
        for constant in constants:
            elements.append(f"a[{given}]" if constant is None else repr(constant))
            given += constant is None
        if shape:
            lines.append(f"    const double a{k}[] = {{{', '.join(elements) or '0.0'}}};")
        passed.append(f"a{k}" if shape else elements[0])
    passed += ["r"] if function.result else []
    call = f"{function.name}({', '.join(passed)});"
    opening = [f"void cutset_foreign_{number}(const double *a, double *r);"]
    opening += [f"void cutset_foreign_{number}(const double *a, double *r)", "{"]
    return [*opening, *lines, "    (void)a;", f"    {call}" if function.result else f"    r[0] = {call}", "}"]
