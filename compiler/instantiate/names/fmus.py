"""Writes the class of an FMU as text of the language: its model description -> text. Runs no code of the FMU.

Parameters, inputs and outputs are those of the FMU, with units and descriptions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.fmu_exchange import exchange_class
from cutset.compiler.instantiate.names.fmu_terminals import Terminal, terminals_of
from cutset.compiler.instantiate.names.fmu_variables import (
    FmuClass,
    NoReader,
    Ports,
    Unsuited,
    about_fmu,
    input_clocks,
    names_of,
    of_type,
    ports_of,
    read_fmu,
    result_lines,
    safe,
)
from cutset.contract.fmu_archive import Damaged, Unsafe, platforms, read_terminals
from cutset.contract.fmu_events import EVEN_ROUND, ODD_ROUND, OF_STEPPING, OPEN, STEP

# What a model writes before the name of the file to select an interface.
EXCHANGE, STEPPING = "exchange:", "cosimulation:"


class NoBinary(Exception):
    """The FMU has no library for this machine; `platforms` are those for which it has one."""

    def __init__(self, platforms: Sequence[str]):
        super().__init__()
        self.platforms = platforms


def split_reference(text: str) -> tuple[str, str]:
    """The interface that a reference to an FMU selects, '' if none, and the name of the file."""
    for interface in (EXCHANGE, STEPPING):
        if text.startswith(interface):
            return interface, text.removeprefix(interface)
    return "", text


def fmu_class(path: Path, interface: str = "", starts: Collection[str] = ()) -> FmuClass:
    """The class of the FMU, with these parameters for start values; without an `interface` that for co-simulation, if
    the FMU has it. Damaged, Unsafe, Unsuited, NoReader, NoBinary; FileNotFoundError."""
    description, terminals = read_fmu(path), terminals_of(read_terminals(path))
    if interface != EXCHANGE and description.coSimulation is not None:
        made = stepping_class(path.name, description, terminals, starts)
    elif interface != STEPPING and description.modelExchange is not None:
        made = exchange_class(path.name, description, terminals, starts)
    else:
        raise _without_interface(path.name, description, interface)
    _require_binary(path)
    return made


def _without_interface(file: str, description: Any, interface: str) -> Unsuited:
    offers = {
        "co-simulation": description.coSimulation,
        "model exchange": description.modelExchange,
        "scheduled execution": description.scheduledExecution,
    }
    has = [name for name, offered in offers.items() if offered is not None]
    wanted = {EXCHANGE: "model exchange", STEPPING: "co-simulation"}.get(interface, "co-simulation or model exchange")
    available = f"; it has only {has[0]}" if len(has) == 1 else ""
    if has and has[0] != "scheduled execution":
        other = STEPPING if interface == EXCHANGE else EXCHANGE
        return Unsuited(f"it has no interface for {wanted}{available}", f'write (fmu "{other}{file}")')
    return Unsuited(f"it has no interface for {wanted}{available}")


def _require_binary(path: Path) -> None:
    """NoBinary if the FMU has no library for this machine."""
    from fmpy import platform, platform_tuple

    has = platforms(path)
    if platform not in has and platform_tuple not in has:
        raise NoBinary(has)


def load_fmu(path: Path, interface: str, span: Span, starts: Collection[str]) -> FmuClass | Diagnostic:
    """The class of the FMU that is named at `span`, or the reason why there is none."""
    try:
        return fmu_class(path, interface, starts)
    except Unsafe as error:
        return class_messages.fmu_unsafe(path.name, str(error), span)
    except (Damaged, OSError) as error:
        return class_messages.fmu_damaged(path.name, str(error), span)
    except Unsuited as error:
        return class_messages.fmu_unsuited(path.name, str(error), error.hint, span)
    except NoReader:
        return class_messages.fmu_without_reader(path.name, span)
    except NoBinary as error:
        return class_messages.fmu_without_binary(path.name, error.platforms, span)


# --- the class of an FMU for co-simulation --------------------------------------------------------

# It steps from one communication point to the next. At each of these instants it calls the FMU for a step, and then in
# rounds until its inputs and outputs agree. One function does both: what comes next is among its results, see
# `contract/fmu_events.py`.

# What the class adds to the parameters of the FMU.
_OWN = ("step", "time_limit", "separate", "iterate")
_USED = (*OF_STEPPING, "new", "init", "der")
_DEFAULT_STEP = 0.01


def stepping_class(file: str, description: Any, terminals: Sequence[Terminal], starts: Collection[str]) -> FmuClass:
    """The class calls the FMU at each communication step as it calls a controller. Unsuited if it cannot."""
    ports = ports_of(description, terminals, _USED, starts)
    parameters, inputs, outputs = ports.parameters, ports.inputs, ports.outputs
    experiment = description.defaultExperiment
    step = float((experiment.stepSize if experiment is not None else None) or _DEFAULT_STEP)
    arguments = ["now", "step", "time_limit", "(Boolean) separate", "(Boolean) iterate", "number"]
    arguments += [f"{of_type(v)}x{k}" for k, v in enumerate((*parameters, *inputs))]
    following, number = (f"outputs({len(outputs) + k})" for k in (1, 2))
    passed = ", ".join(["time", *_OWN, number, *(v.own for v in (*parameters, *inputs))])
    call = f"    new(outputs) = {STEP}({passed})"
    clocks = input_clocks(description)
    if clocks and not description.coSimulation.hasEventMode:
        raise Unsuited(f"its input '{clocks[0].name[:60]}' is a clock, but it has no event mode in which it could tick")
    direct = () if clocks else _direct_inputs(description, ports)
    size, can_repeat = len(outputs) + 3, bool(description.coSimulation.canGetAndSetFMUstate)
    iterates = "true" if direct and can_repeat else "false"
    opened = ["(Boolean) moved", "now", "time_limit", "(Boolean) separate"]
    opened += [f"y{k}" for k in range(len(outputs) + 1)] + arguments[6:]
    given = ["moved", "time", "time_limit", "separate", *(f"opened({k + 1})" for k in range(len(outputs) + 1))]
    given += [v.own for v in (*parameters, *inputs)]
    lines = [
        f'external controller {STEP}({", ".join(arguments)}) result y({size}) "fmu:{file}"',
        f'external function {OPEN}({", ".join(opened)}) result y({len(outputs) + 1}) "fmu:{file}"',
        "",
        f'model class Fmu "{about_fmu(description)}"',
        f'  parameter step (unit="s") = {step!r} "the communication step"',
        '  parameter time_limit (unit="s", min=0) = 60 "for one answer of the FMU"',
        '  parameter (Boolean) separate = true "the FMU runs in a process of its own"',
        f'  parameter (Boolean) iterate = {iterates} "it repeats steps until inputs and outputs agree"',
        *ports.declarations,
        f'  local outputs({size}) (unit="1"), opened({len(outputs) + 1}) (unit="1")',
        "  local (Boolean) moved (start=false)",
        f"  new(opened) = {OPEN}({', '.join(given)})",
        "  when sample(0, step) then",
        "    new(moved) = true",
        call,
    ]
    for k in (ODD_ROUND, EVEN_ROUND):
        if inputs:
            lines += [f"  elsewhen {following} > {k - 0.5} and {following} < {k + 0.5} then", call]
    ends = f'    terminate true, "the FMU {safe(file)} ends the run"'
    lines += ["  endwhen", f"  when outputs({size}) > 0.5 then", ends, "  endwhen"]
    for k, v in enumerate(outputs):
        lines += result_lines(k + 1, v, f"(if moved then outputs({k + 1}) else opened({k + 1}))")
    names = names_of(parameters), names_of(inputs), names_of(outputs), direct, () if can_repeat else direct
    return FmuClass("\n".join([*lines, "end", ""]), (names, names[:3]))


def _direct_inputs(description: Any, ports: Ports) -> tuple[str, ...]:
    """The inputs on which an output may depend at the same instant: all, as FMI defines, where nothing is told."""
    declared = {u.variable.name: u.dependencies for u in description.outputs if u.variable is not None}
    known = [declared.get(name) for name in dict.fromkeys(v.of for v in ports.outputs)]
    if any(dependencies is None for dependencies in known):
        return names_of(ports.inputs)
    found = {v.name for dependencies in known for v in dependencies or ()}
    return names_of(v for v in ports.inputs if v.of in found)
