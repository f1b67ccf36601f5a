"""Stage 6b. Program and target -> SourceFiles (name -> text): the printer of the target, and the metadata."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from cutset.compiler.codegen.emit_c import emit_c
from cutset.compiler.codegen.emit_python import emit_python
from cutset.compiler.codegen.program import Information, Program

# A target is a printer, and joins all tests by standing here.
TARGETS: Mapping[str, Callable[[Program], dict[str, str]]] = {
    "c": emit_c,
    "python": emit_python,
    "listing": lambda program: {"model.txt": f"{program}\n"},
}


def emit(program: Program, target: str) -> dict[str, str]:
    """The files of one target, model.json with them. KeyError for a target that is not listed."""
    return {**TARGETS[target](program), "model.json": _metadata(program.information)}


def _metadata(information: Information) -> str:
    data = {name: getattr(information, name) for name in information.__dataclass_fields__}
    data["names"] = {name: (s.array, s.index, s.sign) for name, s in information.names.items()}
    for table in (
        "externals",
        "relations",
        "rivals",
        "isolated",
        "assertions",
        "constant_origins",
        "parameter_origins",
        "limits",
    ):
        data[table] = [
            None if entry is None else [getattr(entry, f) for f in entry.__dataclass_fields__] for entry in data[table]
        ]
    data["jacobian"] = [len(row) if row and row[-1] == len(row) - 1 else row for row in information.jacobian]
    return json.dumps(data)
