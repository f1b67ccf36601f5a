"""Random models that are exported as FMUs of both versions, and computed in all ways: by FMPy and as components of a
model, for model exchange and co-simulation. The values are those of `simulate` of the text.

    python tests/oracles/random_fmus.py [first seed] [how many]

prints each model that differs, with its text, and how many did.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import cutset
from cutset.export.fmi_binaries import this_machine

STEP, STOP, POINTS = 0.05, 1.0, 101
# The largest difference, relative to the range of a variable; discontinuities may lie one output step beside.
PASSES = 1e-3
_UNITS = ("", "kg", "s", "V", "rad")
_INPUT = "1 + 0.5*sin(3*time)"


@dataclass
class RandomFmu:
    """The text of the class `Part`; its outputs; a parameter and a state that start at other values in its uses."""

    text: str = ""
    outputs: list[str] = field(default_factory=list)
    has_input: bool = False
    parameter: tuple[str, float] = ("k", 1.0)
    start: tuple[str, float] = ("x1", 0.0)

    def model(self, kind: str = " class") -> str:
        """The text as a model (kind '') or a class."""
        return f"model{kind} Part\n{self.text}end\n"


def random_fmu(seed: int) -> RandomFmu:
    """The model of a seed."""
    draw, made, lines = Random(seed), RandomFmu(), list[str]()
    n = draw.randint(1, 4)
    made.has_input = draw.random() < 0.7
    made.parameter = "k", round(draw.uniform(0.3, 1.8), 2)
    made.start = "x1", round(draw.uniform(-1.0, 1.0), 2)
    u = "u" if made.has_input else "0.5"
    declared = ['  parameter k = 1, T (unit="s") = 1, on = true, p2 = 2*k\n  parameter (Integer) m = 1']
    declared += ["  input u"] * made.has_input
    for k in range(1, n + 1):
        start = "p2" if draw.random() < 0.2 and k > 1 else round(draw.uniform(-1.0, 1.0), 2)
        declared.append(f"  {'output' if draw.random() < 0.4 else 'local'} x{k} (start={start})")
        if declared[-1].startswith("  output"):
            made.outputs.append(f"x{k}")
        others = " + ".join(
            f"{draw.uniform(-0.8, 0.8):.2f}*{draw.choice(('', 'sin', 'cos'))}(x{j})" for j in range(1, n + 1)
        )
        lines.append(
            f"  T*der(x{k}) = {others} - {draw.uniform(0.5, 3):.2f}*x{k} + {draw.choice(('k', 'm', 'p2', '0'))}*{u}"
        )
    for part in draw.sample(_PARTS, draw.randint(2, 5)):
        part(draw, made, declared, lines, u)
    made.outputs.append("y")
    declared.append("  output y")
    direct = f" + {draw.uniform(-0.6, 0.6):.2f}*{u}" if draw.random() < 0.6 else ""
    lines.append(f"  y = {draw.uniform(0.5, 2):.2f}*x{n}{direct}")
    made.text = "\n".join([*declared, *lines, ""])
    return made


# --- parts of models -----------------------------------------------------------------------------


def _aliases(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    made.outputs += ["same", "turned", "fixed", "through"]
    declared += ["  output same, turned, fixed, through"]
    lines += ["  same = x1", "  turned = -x1", "  fixed = p2", f"  through = {draw.choice(('', '-'))}{u}"]


def _constants(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    for k in range(3):
        unit = draw.choice(_UNITS)
        declared.append(f"  output c{k}" + (f' (unit="{unit}")' if unit else ""))
        declared.append(f"  constant one{k}" + (f' (unit="{unit}")' if unit else "") + " = 1")
        lines.append(f"  c{k} = one{k}")
        made.outputs.append(f"c{k}")


def _nonlinear(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    declared.append("  output z")
    lines.append(f"  z + 0.3*sin(z) = x1 + {draw.uniform(-0.5, 0.5):.2f}*{u}")
    made.outputs.append("z")


def _switch(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    declared.append("  output s\n  output (Boolean) high\n  local w (start=0.2)")
    level = round(draw.uniform(-0.5, 0.5), 2)
    lines += [f"  T*der(w) = (if x1 > {level} then 1 else -0.5) - w", "  s = w", f"  high = w > {level / 2:.3f}"]
    made.outputs += ["s", "high"]


def _sampled(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    declared.append("  output held (start=0.3)\n  output (Integer) count (start=0)")
    period = draw.choice((0.1, 0.13, 0.25))
    lines += [
        f"  when sample(0, {period}) then",
        "    new(held) = x1 + 0.5*held",
        "    new(count) = count + m",
        "  endwhen",
    ]
    made.outputs += ["held", "count"]


def _jump(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    declared.append('  output b (start=1)\n  local instant (unit="s", start=0.31)')
    lines += ["  T*der(b) = -b", "  when time >= instant then", "    new(instant) = instant + 0.4*T"]
    lines += [f"    init(b) = b + {draw.uniform(0.2, 1):.2f}", "  endwhen"]
    made.outputs.append("b")


def _steady(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    declared.append("  output q")
    lines += [f"  T*der(q) = 2*x1 + {u} - q", "  initial", "    der(q) = 0", "  endinitial"]
    made.outputs.append("q")


def _constraint(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    declared.append("  output a1 (start=0.4), a2")
    lines += ["  a2 = sin(a1)", "  T*der(a1) + T*der(a2) = x1 - a1"]
    made.outputs += ["a1", "a2"]


def _pendulum(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    declared.append("  output px (start=1.2), py (start=0)\n  local pvx, pvy, force")
    lines += ["  T*der(px) = pvx", "  T*der(py) = pvy", "  T*der(pvx) = -force*px", "  T*der(pvy) = -force*py - 9.81"]
    lines += ["  px^2 + py^2 = 1.44"]
    made.outputs += ["px", "py"]


def _delayed(draw: Random, made: RandomFmu, declared: list[str], lines: list[str], u: str) -> None:
    declared.append("  output late")
    lines.append(f"  late = delay(x1, {draw.choice((0.11, 0.3))})")
    made.outputs.append("late")


_PARTS = (
    _aliases, _constants, _nonlinear, _switch, _sampled, _jump, _steady, _constraint, _pendulum, _delayed
)  # fmt: skip


# --- the ways ------------------------------------------------------------------------------------


def host(made: RandomFmu, of_class: str, held: bool = False) -> str:
    """A model with the part as component c; `held`: its input is that of the communication points, as an FMU for
    co-simulation has it."""
    (parameter, value), (state, start) = made.parameter, made.start
    given = f"{parameter}={value}"
    lines = [
        f"model Host\n  submodel {of_class} c({given}" + (f", {state}(start={start})" if "fmu" in of_class else "")
    ]
    lines[0] += f", step={STEP}, separate=false, iterate=false)" if "cosim" in of_class else ")"
    if made.has_input and held:
        lines += ["  local held (start=1)", f"  when sample(0, {STEP}) then", f"    new(held) = {_INPUT}", "  endwhen"]
    lines += [f"  c.u = {'held' if held else _INPUT}"] * made.has_input
    return "\n".join([*lines, "end", ""])


def differences(made: RandomFmu, version: int, folder: Path) -> list[str]:
    """What differs, in words: nothing if all ways agree."""
    model = cutset.loads(made.model(""))
    (parameter, value), (state, start) = made.parameter, made.start
    path = model.export_fmu(folder / "part.fmu", version, platforms=[this_machine()], stop=STOP)
    inputs = {"u": 1.0} if made.has_input else {}
    known = model.simulate(
        STOP, points=POINTS, rtol=1e-8, inputs=inputs, parameters={parameter: value}, initial={state: start}
    )
    found = []
    for kind in ("ModelExchange", "CoSimulation"):
        names = [*made.outputs, *(f"x{k}" for k in range(1, 5) if f"x{k}" in known.names())]
        found += _by_fmpy(path, kind, names, {**inputs, parameter: value, state: start}, known)
    for interface in ("exchange", "cosimulation"):
        (folder / f"{interface}.mo").write_text(host(made, f'(fmu "{interface}:part.fmu")'))
        own = cutset.loads(made.model() + host(made, "(Part)", held=interface == "cosimulation"))
        settings: dict[str, Any] = {"points": POINTS, "rtol": 1e-8}
        wanted = own.simulate(STOP, initial={f"c.{state}": start}, **settings)
        run = cutset.load(folder / f"{interface}.mo", allow_external=True).simulate(STOP, **settings)
        for name in made.outputs:
            column = _held(wanted, f"c.{name}", run.time) if interface == "cosimulation" else None
            found += _compared(f"{interface} {name}", wanted, f"c.{name}", run.time, run[f"c.{name}"], column)
    return found


def _by_fmpy(path: Path, kind: str, names: list[str], starts: dict[str, float], known: cutset.Result) -> list[str]:
    import fmpy

    result = fmpy.simulate_fmu(
        str(path), fmi_type=kind, stop_time=STOP, output_interval=STOP / (POINTS - 1), output=names,
        start_values=starts, relative_tolerance=1e-8, record_events=False,
    )  # fmt: skip
    found = []
    for name in names:
        found += _compared(f"FMPy {kind} {name}", known, name, result["time"], result[name], None)
    return found


def _held(run: cutset.Result, name: str, times: Any) -> Any:
    """The values at the communication points before these times, as the component shows them."""
    points = STEP * np.floor(times / STEP + 1e-9)
    return np.asarray(run[name], dtype=float)[np.searchsorted(run.time, points + 1e-12, side="right") - 1]


def _compared(what: str, known: cutset.Result, name: str, times: Any, values: Any, column: Any) -> list[str]:
    """A sentence if the values differ from those of the run by more than `PASSES` of their range: from those within one
    output step beside, since instants of events differ by rounding, and before or after an event count."""
    own, values = np.asarray(known[name], dtype=float), np.asarray(values, dtype=float)
    size = max(float(np.ptp(own)), 1e-3 * float(np.abs(own).max()), 1e-6)
    near = STEP / 50 if column is None else STEP * 1.001
    worst, at = 0.0, 0.0
    for k, (t, value) in enumerate(zip(times, values, strict=True)):
        first, last = np.searchsorted(known.time, [t - near, t + near * (column is None) + 1e-12], side="left")
        band = own[max(first - 1, 0) : last + 1]
        apart = max(band.min() - value, value - band.max(), 0.0)
        if column is not None:
            apart = min(abs(value - column[k]), apart) if len(band) else abs(value - column[k])
        if not apart <= worst:
            worst, at = apart, t
    return [] if worst <= PASSES * size else [f"{what} differs by {worst:.3g} at {at:g} s, of {size:.3g}"]


def main(first: int, count: int) -> int:
    """The number of models that differ."""
    wrong = 0
    for seed in range(first, first + count):
        made, version = random_fmu(seed), 2 + seed % 2
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = differences(made, version, Path(folder))
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"[:600]]
        if found:
            wrong += 1
            print(f"--- {seed}, FMI {version}\n{made.model('')}" + "\n".join(found[:8]), flush=True)
    print(f"{count} models, {wrong} differ")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*(int(a) for a in sys.argv[1:3])) if len(sys.argv) == 3 else main(1, 20))
