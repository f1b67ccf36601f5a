"""Makes the folder of functions in C: translated functions -> {name of a file: text}. Writes nothing.

Each function has a file of its own; parameters are numbers in it. No function allocates memory or keeps a state.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cutset.contract.metadata import ModelInfo
from cutset.export.c_folder import NAME, c_name, file_text, harmless
from cutset.runtime.targets.c_files import included

_TEMPLATES = ("names.h", "mechanics_CMakeLists.txt", "mechanics_README.md")
# What all functions share, in mechanics.c.
_EXTERNAL = ("fault", "external", "careful", "lost", "beyond", "open")
# The parts of generated code that a function does not need, with the numbers of their pieces.
_UNNEEDED = re.compile(
    r"^(?:CUTSET_ONCE )?(?:static )?void (?:cutset_)?(?:bindings|constants|starts?|nominals|time_events|jacobian"
    r"|crossings|watch|variables|updates|delayed)(?:_\d+)?\(.*?^\}\n\n?",
    re.MULTILINE | re.DOTALL,
)
_EXTERNAL_FUNCTION = re.compile(r"^(CUTSET_ONCE )?void cutset_(?!foreign)", re.MULTILINE)
_NUMBERS_IN_A_LINE = 4


@dataclass(frozen=True)
class FunctionCode:
    """A translated function: its name in C, what it computes, its arguments and results with their sizes, and the
    values of the constants and of the first guesses. `body` are the statements that compute `sum`, that of all results,
    without those of a function of inputs u alone."""

    name: str
    about: str
    arguments: tuple[tuple[str, int], ...]
    results: tuple[tuple[str, int], ...]
    info: ModelInfo
    code: str
    constants: tuple[float, ...]
    guesses: tuple[float, ...]
    body: tuple[str, ...] = ()

    @property
    def prototype(self) -> str:
        """The declaration, without a semicolon."""
        given = [f"const double {name}[{size}]" for name, size in self.arguments]
        return f"int {self.name}({', '.join([*given, *(f'double {name}[{size}]' for name, size in self.results)])})"


def mechanics_files(
    model: str, functions: Sequence[FunctionCode], orders: Sequence[tuple[str, str]], units: str = "m, rad, s, kg, N"
) -> dict[str, str]:
    """All files of the folder: sources, headers, an example, and what builds them. `orders` are (argument, what its
    elements are)."""
    name = c_name(model)
    sources = [f"{function.name}.c" for function in functions]
    names, cmake, readme = (NAME.sub(name, file_text(template)) for template in _TEMPLATES)
    support = included(*(function.code for function in functions))
    support["cutset_support.h"] = f'#include "names.h"\n\n{support["cutset_support.h"]}'
    return {
        f"{name}_mechanics.h": _header(name, functions, orders, units),
        f"{name}_mechanics.c": NAME.sub(name, file_text("mechanics.c")),
        **{f"{function.name}.c": _source(name, function) for function in functions},
        "main.c": _example(name, functions),
        "names.h": names.replace("LINES", "\n".join(f"#define cutset_{x} {name}_mechanics_{x}" for x in _EXTERNAL)),
        **support,
        "CMakeLists.txt": cmake.replace("SOURCES", " ".join(sources)),
        "README.md": readme.replace("LIST", "\n".join(f"- `{function.prototype};`" for function in functions)),
    }


def _header(name: str, functions: Sequence[FunctionCode], orders: Sequence[tuple[str, str]], units: str) -> str:
    listed = "\n".join(f"   {argument:5}{harmless(text)}" for argument, text in orders)
    declared = "\n\n".join(f"/* {harmless(f.about)} */\n{f.prototype};" for f in functions)
    guard = f"{name.upper()}_MECHANICS_H"
    return (
        f"/* Functions of {name}, made by Cutset. Units: {units}; matrices are row by row.\n\n"
        f"{listed}\n\n   Each returns 1, or 0 if a result is not finite. */\n\n"
        f"#ifndef {guard}\n#define {guard}\n\n{declared}\n\n#endif\n"
    )


def _source(name: str, function: FunctionCode) -> str:
    code = function.code if function.body else _UNNEEDED.sub("", function.code)
    code = _EXTERNAL_FUNCTION.sub(r"\1static void cutset_", code).rstrip()
    body = [
        f"{function.prototype}\n{{",
        f"    double w[{max(1, function.info.n_work)}], sum = 0.0;",
        "    int i;",
        "    memset(w, 0, sizeof w);",
        *(["    memcpy(w, GUESSES, sizeof GUESSES);"] if function.guesses else []),
        *(function.body or _of_inputs(function)),
        "    return isfinite(sum) != 0; /* infinite and undefined numbers remain so in a sum */",
        "}",
    ]
    tables = _table("CONSTANTS", function.constants) + (_table("GUESSES", function.guesses) if function.guesses else "")
    return f'#include "{name}_mechanics.h"\n\n{code}\n\n{tables}\n' + "\n".join(body) + "\n"


def _of_inputs(function: FunctionCode) -> list[str]:
    sizes = [sum(size for _, size in of) for of in (function.arguments, function.results)]
    lines, place = [f"    double u[{max(1, sizes[0])}], found[{max(1, sizes[1])}];"], 0
    for argument, size in function.arguments:
        lines.append(f"    memcpy(u + {place}, {argument}, {size} * sizeof(double));")
        place += size
    lines.append("    cutset_derivatives(0.0, 0, u, CONSTANTS, 0, w, found);")
    place = 0
    for result, size in function.results:
        lines.append(f"    for (i = 0; i < {size}; i++) sum += {result}[i] = found[{place} + i];")
        place += size
    return lines


def _table(name: str, numbers: Sequence[float]) -> str:
    texts = [_number(x) for x in numbers] or ["0.0"]
    rows = [", ".join(texts[k : k + _NUMBERS_IN_A_LINE]) for k in range(0, len(texts), _NUMBERS_IN_A_LINE)]
    return f"static const double {name}[{len(texts)}] = {{\n    " + ",\n    ".join(rows) + "\n};\n"


def _number(x: float) -> str:
    if x != x:
        return "NAN"
    return repr(x) if abs(x) != float("inf") else "INFINITY" if x > 0.0 else "-INFINITY"


def _example(name: str, functions: Sequence[FunctionCode]) -> str:
    blocks = []
    for function in functions:
        groups = [*function.arguments, *function.results]
        declared = ", ".join(f"{name}[{size}] = {{0}}" for name, size in groups)
        called = ", ".join(name for name, _ in groups)
        shown = "\n".join(
            f'        show("{function.name}: {result}", {size}, {result});' for result, size in function.results
        )
        blocks.append(
            f"    {{\n        double {declared};\n        if (!{function.name}({called})) return 1;\n{shown}\n    }}"
        )
    return file_text("mechanics_main.c").replace("NAME", name).replace("BLOCKS", "\n".join(blocks))
