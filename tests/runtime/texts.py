"""Models with events for both targets out of one text: assignments that C and Python read alike.

Each function of the contract is given by its assignments, ``dx[0] = x[1]``; truth values are numbers, so that a product
is 'and', ``1.0*(a < b)`` a comparison. What is not given does nothing; `starts` copy to the states, `updates` leave
everything as it is before their own assignments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cutset.contract.metadata import Assertion, ModelInfo, Origin, Relation, Slot, SourceFiles
from cutset.contract.model_json import model_json

_ARGUMENTS = {
    "bindings": "p given",
    "constants": "p c",
    "starts": "c s",
    "start": "t u c m s w x",
    "nominals": "c n",
    "time_events": "c m te",
    "derivatives": "t x u c m w dx",
    "crossings": "t x u c m w g",
    "variables": "t x u c m w y",
    "updates": "t x u c m f w e",
    "jacobian": "t x u c m w j",
    "watch": "c m w h",
    "delayed": "t x u c m w v",
}


def relation(text: str, kind: str = "state") -> Relation:
    """A relation by its text, as it would stand in model.mo."""
    operator = next((o for o in ("<=", ">=", "<>", "==", "<", ">") if o in text), "")
    return Relation(text, operator if kind in ("state", "time") else "", kind, "model.mo:3:5", "part")


def assertion(text: str, branch: int = -1, terminates: bool = False) -> Assertion:
    return Assertion(text, terminates, branch, "model.mo:7:3", "part", -1)


def hybrid(
    states: Sequence[str] = (),
    unknowns: Sequence[str] = (),
    discrete: Sequence[str] = (),
    relations: Sequence[Relation] = (),
    crossings: Sequence[int] = (),
    time_events: Sequence[int] = (),
    whens: Sequence[int] = (),
    assertions: Sequence[Assertion] = (),
    inputs: Sequence[str] = (),
    n_work: int = 1,
    iterations: Sequence[int] = (),
    guards: Sequence[tuple[int, str]] = (),
    faults: Sequence[str] = (),
    before: str = "",
    differences: str = "",
    times: str = "",
    pattern: Sequence[Sequence[int]] | None = None,
    **functions: str,
) -> SourceFiles:
    """The texts of a model. `differences` is the text of `crossings`, `times` that of
    `instants`. `before` is C and Python for functions of its own, parted by a line ``---``. `pattern` is that of the
    Jacobian, full where it is None; the model has one where the text of `jacobian` is given."""
    names = {name: Slot("x", i, 1) for i, name in enumerate(states)}
    names |= {name: Slot("y", i, 1) for i, name in enumerate(unknowns)}
    names |= {name: Slot("m", len(relations) + i, 1) for i, name in enumerate(discrete)}
    names |= {name: Slot("u", i, 1) for i, name in enumerate(inputs)}
    info = ModelInfo(
        name="model",
        states=tuple(states),
        inputs=tuple(inputs),
        parameters=(),
        names=names,
        origins=tuple(Origin(name, f"{name} = ...", "model.mo:2:3", "") for name in unknowns),
        folded={},
        n_constants=0,
        n_work=n_work,
        iterations=tuple(iterations),
        n_variables=len(unknowns),
        constant_origins=(),
        parameter_origins=(),
        limits=(),
        faults=tuple(faults),
        open_systems=(),
        externals=(),
        relations=tuple(relations),
        discrete=tuple(discrete),
        crossings=tuple(crossings),
        time_events=tuple(time_events),
        whens=tuple(whens),
        assertions=tuple(assertions),
        jacobian=tuple(map(tuple, pattern or [range(len(states))] * len(states))),
        has_jacobian="jacobian" in functions,
        guards=tuple(guards),
    )
    start = "; ".join(f"x[{i}] = s[{i}]" for i in range(len(states)))
    nominals = "; ".join(f"n[{i}] = 1.0" for i in range(len(states)))
    functions = {"start": start, "crossings": differences, "time_events": times, "nominals": nominals} | functions
    keep = [f"e[{i}] = m[{len(relations) + i}]" for i in range(len(discrete))]
    keep += [f"e[{len(discrete) + i}] = x[{i}]" for i in range(len(states))]
    functions["updates"] = "; ".join(keep) + ";" + functions.get("updates", "")
    c, python = _texts_of_functions(functions, before.split("---") if before else ["", ""])
    return {"model.json": model_json(info), "model.c": c, "model.py": python}


def _texts_of_functions(functions: Mapping[str, str], own: Sequence[str]) -> tuple[str, str]:
    """In C and in Python, behind functions of the model's own."""
    c = '#include "cutset_support.h"\n' + own[0]
    python = own[1]
    for name, arguments in _ARGUMENTS.items():
        lines = [line.strip() for line in re.split(r"[;\n]", functions.get(name, "")) if line.strip()]
        typed = [
            "double t" if a == "t" else f"double *{a}" if a in ("w", arguments.split()[-1]) else f"const double *{a}"
            for a in arguments.split()
        ]
        if name == "bindings":
            typed = ["double *p", "const double *given"]
        c += f"void cutset_{name}({', '.join(typed)})\n{{\n" + "".join(f"    {line};\n" for line in lines) + "}\n"
        python += (
            f"def {name}({', '.join(arguments.split())}):\n" + "".join(f"    {line}\n" for line in lines) + "    pass\n"
        )
    return c, python
