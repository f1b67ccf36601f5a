"""Writes the class of an FMU for co-simulation, which steps from one communication point to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cutset.compiler.instantiate.names.fmu_terminals import Terminal
from cutset.compiler.instantiate.names.fmu_variables import (
    FmuClass,
    Variable,
    about_fmu,
    names_of,
    of_type,
    ports_of,
    result_lines,
)

# The name of the function that advances the FMU, in messages.
STEP = "fmu"
# What the class adds to the parameters of the FMU.
_OWN = ("step", "time_limit", "separate")
_USED = (*_OWN, "outputs", "phase", "new", "init", "der")
_DEFAULT_STEP = 0.01


def stepping_class(file: str, description: Any, terminals: Sequence[Terminal]) -> FmuClass:
    """The class calls the FMU at each communication step as it calls a controller. Unsuited if it cannot."""
    ports = ports_of(description, terminals, _USED)
    parameters, inputs, outputs = ports.parameters, ports.inputs, ports.outputs
    experiment = description.defaultExperiment
    step = float((experiment.stepSize if experiment is not None else None) or _DEFAULT_STEP)
    arguments = ["now", "step", "time_limit", "(Boolean) separate"]
    arguments += [f"{of_type(v)}x{k}" for k, v in enumerate((*parameters, *inputs, *inputs))]
    held = [f"held_{k + 1}" for k in range(len(inputs))]
    passed = ", ".join(["time", *_OWN, *(v.own for v in (*parameters, *inputs)), *held])
    size = max(1, len(outputs))
    lines = [
        f'external controller {STEP}({", ".join(arguments)}) result y({size}) "fmu:{file}"',
        "",
        f'model class Fmu "{about_fmu(description)}"',
        f'  parameter step (unit="s") = {step!r} "the communication step"',
        '  parameter time_limit (unit="s") = 60 "for one answer of the FMU"',
        '  parameter (Boolean) separate = true "the FMU runs in a process of its own"',
        *ports.declarations,
        f'  local outputs({size}) (unit="1")',
        *(f"  local {of_type(v)}{name}{v.attributes}" for v, name in zip(inputs, held, strict=True)),
        *_steps(passed, inputs, held),
    ]
    for k, v in enumerate(outputs):
        lines += result_lines(k + 1, v, f"outputs({k + 1})")
    names = names_of(parameters), names_of(inputs), names_of(outputs)
    return FmuClass("\n".join([*lines, "end", ""]), (names,))


def _steps(passed: str, inputs: Sequence[Variable], held: Sequence[str]) -> list[str]:
    """The events. The inputs of a step have the values at its start after all outputs of that instant: they are taken
    in the pass after that in which the outputs change, which `phase` starts."""
    call = ["  when sample(0, step) then", f"    new(outputs) = {STEP}({passed})"]
    if not inputs:
        return [*call, "  endwhen"]
    taken = [f"    new({name}) = {v.own}" for v, name in zip(inputs, held, strict=True)]
    call += ["    new(phase) = 1 - phase", "  endwhen"]
    return ["  local phase (start=0)", *call, "  when phase > 0.5 then", *taken, "  elsewhen phase < 0.5 then", *taken,
            "  endwhen"]  # fmt: skip
