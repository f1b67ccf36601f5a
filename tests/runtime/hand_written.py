"""Models written by hand, as a code generator would write them, built for each target: statements that both languages
have, and the metadata that is not the default."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from cutset.contract.metadata import ExpressionOrigin, ModelInfo, Origin, Relation, Slot, SourceFiles
from cutset.contract.model_json import model_json
from cutset.runtime.interface import CompiledModel
from cutset.runtime.targets.build import build
from cutset.runtime.targets.toolchain import find_compiler

# The functions of generated code with their arguments. All but `t` are arrays, the last one and w are written.
FUNCTIONS = {
    "bindings": "p given",
    "constants": "p c",
    "starts": "c s",
    "start": "t u c m s w x",
    "time_events": "c m te",
    "derivatives": "t x u c m w dx",
    "variables": "t x u c m w y",
    "crossings": "t x u c m w g",
    "updates": "t x u c m f w e",
    "nominals": "c n",
    "jacobian": "t x u c m w j",
    "watch": "c m w h",
    "delayed": "t x u c m w v",
}
# Two equations, whose matrix is in w, as are the right sides, which the unknowns replace.
SOLVE = "solve"


@dataclass(frozen=True)
class HandWritten:
    """A model: the start values of its states, the default values of its parameters, its variables and where they are
    defined, and the bodies of functions. `info` are further fields of the metadata."""

    starts: dict[str, str]
    parameters: dict[str, str]
    variables: dict[str, tuple[str, int, int]]
    origins: tuple[tuple[str, str, str, str], ...] = ()
    bodies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    constants: tuple[tuple[str, str], ...] = ()  # places and values
    info: dict[str, Any] = field(default_factory=dict)

    def metadata(self, name: str) -> ModelInfo:
        """What model.json has."""
        own = {state: Slot("x", k, 1) for k, state in enumerate(self.starts)}
        own |= {parameter: Slot("p", k, 1) for k, parameter in enumerate(self.parameters)}
        own |= {variable: Slot(*place) for variable, place in self.variables.items()}
        every = tuple(range(len(self.starts)))
        known: dict[str, Any] = {
            "inputs": (), "folded": {}, "limits": (), "n_work": 0, "faults": (), "open_systems": (), "externals": (),
            "iterations": (), "n_variables": 0,
            "constant_origins": tuple(ExpressionOrigin(place, place=place) for place, _ in self.constants),
        }  # fmt: skip
        return ModelInfo(
            name=name,
            states=tuple(self.starts),
            parameters=tuple(self.parameters),
            names=own,
            origins=tuple(Origin(*each) for each in self.origins),
            parameter_origins=(None,) * len(self.parameters),
            n_constants=len(self.constants),
            jacobian=(every,) * len(self.starts),
            **(known | self.info),
        )

    def statements(self, function: str) -> tuple[str, ...]:
        """The body of a function."""
        match function:
            case "bindings":
                return tuple(
                    f"if given[{k}] == 0.0: p[{k}] = {value}" for k, value in enumerate(self.parameters.values())
                )
            case "constants":
                return tuple(f"c[{k}] = {value}" for k, (_, value) in enumerate(self.constants))
            case "starts":
                return tuple(f"s[{k}] = {value}" for k, value in enumerate(self.starts.values()))
            case "start" | "updates" | "nominals":
                copied = {"start": "x[{0}] = s[{0}]", "updates": "e[{0}] = x[{0}]", "nominals": "n[{0}] = 1.0"}
                return tuple(copied[function].format(k) for k in range(len(self.starts)))
        return self.bodies.get(function, ())


OSCILLATOR = HandWritten(
    {"body.s": "1.0", "body.v": "0.0"},
    {"spring.k": "4.0", "damper.d": "0.1 * p[0]", "T(1,3)": "1.5"},
    {"spring.s": ("x", 0, -1), "spring.minus_k": ("p", 0, -1),
     "body.a": ("y", 0, 1), "energy": ("y", 1, 1), "loss": ("y", 1, -1)},
    (
        ("body.a", "m*der(v) = -k*s - 2*d*v", "oscillator.mo:5:3", "body"),
        ("energy", "energy = (v^2 + k*s^2)/2", "oscillator.mo:6:3", ""),
    ),
    {
        "derivatives": ("w[0] = c[0] * x[0]", "dx[0] = x[1]", "dx[1] = -w[0] - c[1] * x[1]"),
        "variables": (
            "w[0] = c[0] * x[0]", "y[0] = -w[0] - c[1] * x[1]", "y[1] = (x[1] * x[1] + w[0] * x[0]) * 0.5",
        ),
    },
    (("k*k/k", "p[0] * p[0] / p[0]"), ("oscillator.mo:3:9", "2.0 * p[1]")),
    {
        "folded": {"body.m": 1.0}, "n_work": 1, "n_variables": 2,
        "constant_origins": (
            ExpressionOrigin("k*k/k", (0,), (), "oscillator.mo:2:9", "  f = s*k*k/k", 9, 5, "spring"),
            ExpressionOrigin("oscillator.mo:3:9", place="oscillator.mo:3:9"),
        ),
    },
)  # fmt: skip
PENDULUM = HandWritten(
    {"q1": "1.5", "q2": "c[1]", "w1": "0.0", "w2": "0.0"},
    {"g": "9.81", "q2.start": "1.0"},
    {"energy": ("y", 0, 1)},
    (("energy", "energy = kinetic + potential", "pendulum.mo:9:3", ""),),
    {
        "derivatives": (
            "w[6] = x[0] - x[1]", "w[0] = 2.0", "w[1] = cos(w[6])", "w[2] = w[1]", "w[3] = 1.0",
            "w[4] = -sin(w[6]) * x[3] * x[3] - 2.0 * c[0] * sin(x[0])",
            "w[5] = sin(w[6]) * x[2] * x[2] - c[0] * sin(x[1])",
            SOLVE, "dx[0] = x[2]", "dx[1] = x[3]", "dx[2] = w[4]", "dx[3] = w[5]",
        ),
        "variables": (
            "y[0] = x[2] * x[2] + 0.5 * x[3] * x[3] + x[2] * x[3] * cos(x[0] - x[1]) - 2.0 * c[0] * cos(x[0]) "
            "- c[0] * cos(x[1])",
        ),
    },
    (("pendulum.mo:2:9", "p[0]"), ("pendulum.mo:3:9", "p[1]")),
    {"n_work": 7, "n_variables": 1},
)  # fmt: skip
ALGEBRAIC = HandWritten(
    {},
    {"f": "2.0"},
    {"z1": ("y", 0, 1), "z2": ("y", 1, 1)},
    (
        ("z1", "2*z1 + z2 = sin(f*time)", "algebraic.mo:3:3", ""),
        ("z2", "z1 + 3*z2 = 1", "algebraic.mo:4:3", ""),
    ),
    {
        "variables": (
            "w[0] = 1.0", "w[1] = 3.0", "w[2] = 2.0", "w[3] = 1.0", "w[4] = 1.0", "w[5] = sin(c[0] * t)",
            SOLVE, "y[0] = w[4]", "y[1] = w[5]",
        )
    },
    (("algebraic.mo:2:9", "p[0]"),),
    {"n_work": 6, "n_variables": 2},
)  # fmt: skip
BLOWUP = HandWritten(
    {"x": "1.0"},
    {},
    {"rate": ("y", 0, 1)},
    (("rate", "der(x) = x^2", "blowup.mo:3:3", "plant"),),
    {"derivatives": ("dx[0] = x[0] * x[0]",), "variables": ("y[0] = x[0] * x[0]",)},
    info={"n_variables": 1},
)
GAP = HandWritten(
    {"s": "0.0"},
    {"a": "0.5"},
    {"inverse": ("y", 0, 1), "twice": ("y", 1, 1)},
    (("inverse", "inverse*(s - a) = 1", "gap.mo:4:3", ""), ("twice", "twice = 2*inverse", "gap.mo:5:3", "")),
    {"derivatives": ("dx[0] = 1.0",), "variables": ("y[0] = 1.0 / (x[0] - c[0])", "y[1] = 2.0 * y[0]")},
    (("gap.mo:2:9", "p[0]"),),
    {"n_variables": 2},
)
POLE = HandWritten(
    {"level": "c[0]", "volume": "0.0"},
    {"level0": "1.0"},
    {"depth": ("y", 0, 1), "flow": ("y", 1, 1)},
    (("depth", "depth = log(level)", "pole.mo:4:3", "tank.bottom"), ("flow", "flow = 2*depth", "pole.mo:5:3", "tank")),
    {
        "derivatives": ("dx[0] = -1.0", "dx[1] = 2.0 * log(x[0])"),
        "variables": ("y[0] = log(x[0])", "y[1] = 2.0 * y[0]"),
    },
    (("pole.mo:2:9", "p[0]"),),
    {"n_variables": 2},
)
STIFF = HandWritten(
    {"y": "0.0", "z": "0.0"},
    {"rate": "1e5"},
    {},
    bodies={"derivatives": ("dx[0] = c[0] * (x[0] - cos(t)) - sin(t)", "dx[1] = x[0]")},
    constants=(("stiff.mo:2:9", "-p[0]"),),
)
SWITCHED = HandWritten(
    {"s": "0.0"},
    {"on": "0.3", "off": "2.0 * p[0]"},
    {"speed": ("u", 0, 1), "force": ("y", 0, 1)},
    (("force", "force = if time > on and time < off then 1 else 0", "switched.mo:4:3", ""),),
    {
        "time_events": ("te[0] = c[0]", "te[1] = 1.0", "te[2] = c[1]", "te[3] = 1.0"),
        "derivatives": ("w[0] = m[0] * m[1]", "dx[0] = w[0] + u[0]"),
        "variables": ("y[0] = m[0] * m[1]", "y[1] = t", "y[2] = c[0]", "y[3] = t", "y[4] = c[1]"),
    },
    (("switched.mo:2:9", "p[0]"), ("switched.mo:3:9", "p[1]")),
    {
        "inputs": ("speed",), "n_work": 1, "n_variables": 1, "time_events": (0, 1),
        "relations": (
            Relation("time > on", ">", "time", "switched.mo:4:14", ""),
            Relation("time < off", "<", "time", "switched.mo:4:28", ""),
        ),
    },
)  # fmt: skip
_ALL = {
    "algebraic": ALGEBRAIC, "blowup": BLOWUP, "gap": GAP, "oscillator": OSCILLATOR, "pendulum": PENDULUM, "pole": POLE,
    "stiff": STIFF, "switched": SWITCHED,
}  # fmt: skip
MODELS = tuple(_ALL)


def _in_python(statement: str) -> str:
    return f"    {'b = w[4:6]; solve(2, 1, 1, w, b); w[4:6] = b' if statement == SOLVE else statement}\n"


def _in_c(statement: str) -> str:
    condition, _, rest = statement.rpartition(": ") if statement.startswith("if ") else ("", "", statement)
    guard = f"if ({condition[3:]}) " if condition else ""
    return f"    {guard}{'cutset_solve(2, 1, 1, w, w + 4)' if rest == SOLVE else rest};\n"


def source_files(name: str) -> SourceFiles:
    model, python, c = _ALL[name], "", '#include "cutset_support.h"\n'
    for function, arguments in FUNCTIONS.items():
        body, names = model.statements(function), arguments.split()
        python += f"def {function}({', '.join(names)}):\n    pass\n{''.join(map(_in_python, body))}\n\n"
        written = {"w", names[0] if function == "bindings" else names[-1]}
        declared = ("double t" if n == "t" else f"{'' if n in written else 'const '}double *{n}" for n in names)
        unused = "".join(f" (void){n};" for n in names)
        c += f"\nvoid cutset_{function}({', '.join(declared)})\n{{\n   {unused}\n{''.join(map(_in_c, body))}}}\n"
    return {"model.json": model_json(model.metadata(name)), "model.c": c, "model.py": python}


def load_model(name: str, target: str) -> CompiledModel:
    if target == "c" and find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    return build(source_files(name), target)
