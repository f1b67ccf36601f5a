"""Writes the class of an FMU as text of the language: its model description -> text. Runs no code of the FMU.

Parameters, inputs and outputs are those of the FMU, with units and descriptions. The class calls the FMU at each
communication step as it calls a controller.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.units.parse import Misread, parse_unit
from cutset.compiler.syntax.parse import is_name
from cutset.contract.fmu_archive import DESCRIPTION, Damaged, Unsafe, read_description

# The name of the function that advances the FMU, in messages.
STEP = "fmu"
# What the class adds to the parameters of the FMU.
_OWN = ("step", "time_limit", "separate")
_USED = (*_OWN, "outputs", "phase", "new", "init", "der")
# The limit on characters of a name.
_LONGEST = 80
_DEFAULT_STEP = 0.01
_INTEGERS = frozenset({"Integer", "Enumeration", *(f"{u}Int{n}" for u in ("", "U") for n in (8, 16, 32, 64))})
_REALS = frozenset({"Real", "Float32", "Float64"})


class Unsuited(Exception):
    """The FMU cannot be a component; the message is a sentence about it that starts with 'it'."""


class NoReader(Exception):
    """The package that reads model descriptions is missing."""


@dataclass(frozen=True)
class FmuClass:
    """The text of the class, and the names that the FMU has for its parameters, inputs and outputs, in the order in
    which the class passes and gets them."""

    text: str
    names: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Variable:
    """A variable of the FMU with its name in the class, its type there, and its attributes as text."""

    name: str
    own: str
    type: str
    attributes: str
    start: str
    about: str


def fmu_class(path: Path) -> FmuClass:
    """The class of the FMU. Damaged, Unsafe, Unsuited, NoReader; FileNotFoundError."""
    description = _read(path)
    if description.coSimulation is None:
        raise Unsuited("it has no co-simulation interface")
    used: set[str] = set(_USED)
    parts = [
        [_variable(v, used, causality) for v in description.modelVariables if v.causality == causality]
        for causality in ("parameter", "input", "output")
    ]
    parameters, inputs, outputs = ([v for v in part if v is not None] for part in parts)
    missing = [v.name for v in description.modelVariables if v.causality in ("input", "output") and not _is_scalar(v)]
    if missing:
        raise Unsuited(f"its input or output '{missing[0][:60]}' is an array, a string or a clock")
    step = description.defaultExperiment.stepSize if description.defaultExperiment is not None else None
    names = tuple(tuple(v.name for v in part) for part in (parameters, inputs, outputs))
    about = _plain(description.description or f"the FMU {description.modelName}")
    return FmuClass(_text(path.name, about, float(step or _DEFAULT_STEP), parameters, inputs, outputs), names)


def _read(path: Path) -> Any:
    try:
        from fmpy import read_model_description
    except ImportError as error:
        raise NoReader from error
    text = read_description(path)
    version = re.search(rb'fmiVersion\s*=\s*"([\w.]{1,20})"', text)
    if version is not None and not re.match(rb"2\.0$|3\.", version[1]):
        raise Unsuited(f"it is of FMI {version[1].decode()}; versions 2 and 3 can be used")
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:  # so that nothing else of the file is read
        archive.writestr(DESCRIPTION, text)
    try:
        return read_model_description(memory, validate=False)  # many tools write small errors
    except Exception as error:  # FMPy raises many kinds, also plain Exception
        reason = " ".join(str(error).split())[:300]
        raise Damaged(f"its {DESCRIPTION} has errors: {reason}") from error


def _is_scalar(variable: Any) -> bool:
    return not variable.dimensions and (variable.type in _REALS | _INTEGERS or variable.type == "Boolean")


def _variable(variable: Any, used: set[str], causality: str) -> _Variable | None:
    """The variable as the class has it; None for one that is not a scalar."""
    if not _is_scalar(variable):
        return None
    own = re.sub(r"\W+", "_", variable.name, flags=re.ASCII).strip("_")[:_LONGEST] or "v"
    own = f"v_{own}" if own[0].isdigit() else own
    while own in used or not is_name(own) or re.fullmatch(r"(unit|held)_\d+", own):
        own += "_"
    used.add(own)
    kind = "Boolean" if variable.type == "Boolean" else "Integer" if variable.type in _INTEGERS else "Real"
    if causality == "output" and kind == "Integer":
        kind = "Real"
    unit = variable.unit or (variable.declaredType.unit if variable.declaredType is not None else None)
    attributes = f' (unit="{unit}")' if unit and kind == "Real" and _is_unit(unit) else ""
    return _Variable(variable.name, own, kind, attributes, _start(variable, kind), _plain(variable.description or ""))


def _start(variable: Any, kind: str) -> str:
    text = str(variable.start if variable.start is not None else "").strip()
    if kind == "Boolean":
        return "true" if text in ("true", "1", "True") else "false"
    try:
        number = float(text)
    except ValueError:
        return "0"
    return repr(int(number) if kind == "Integer" else number)


def _is_unit(text: str) -> bool:
    try:
        parse_unit(text)
    except Misread:
        return False
    return '"' not in text


def _plain(text: str) -> str:
    """The text for a string of the language: one line of printable characters."""
    return re.sub(r'[^\x20-\x7e\u00a0-\uffff]+|["\\]', " ", text).strip()[:200]


def _text(
    file: str,
    about: str,
    step: float,
    parameters: Sequence[_Variable],
    inputs: Sequence[_Variable],
    outputs: Sequence[_Variable],
) -> str:
    given = [*parameters, *inputs, *inputs]
    arguments = ["now", "step", "time_limit", "(Boolean) separate"]
    arguments += [f"{_of_type(v)}x{k}" for k, v in enumerate(given)]
    held = [f"held_{k + 1}" for k in range(len(inputs))]
    passed = ", ".join(["time", *_OWN, *(v.own for v in (*parameters, *inputs)), *held])
    lines = [
        f'external controller {STEP}({", ".join(arguments)}) result y({max(1, len(outputs))}) "fmu:{file}"',
        "",
        f'model class Fmu "{about}"',
        f'  parameter step (unit="s") = {step!r} "the communication step"',
        '  parameter time_limit (unit="s") = 60 "for one answer of the FMU"',
        '  parameter (Boolean) separate = true "the FMU runs in a process of its own"',
        *(f"  parameter {_of_type(v)}{v.own}{v.attributes} = {v.start}{_quoted(v.about)}" for v in parameters),
        *(f"  input {_of_type(v)}{v.own}{v.attributes}{_quoted(v.about)}" for v in inputs),
        *(f"  output {_of_type(v)}{v.own}{v.attributes}{_quoted(v.about)}" for v in outputs),
        f'  local outputs({max(1, len(outputs))}) (unit="1")',
        *(f"  local {_of_type(v)}{name}{v.attributes}" for v, name in zip(inputs, held, strict=True)),
        *_steps(passed, inputs, held),
    ]
    for k, v in enumerate(outputs):
        if v.type == "Boolean":
            lines.append(f"  {v.own} = outputs({k + 1}) > 0.5")
        elif v.attributes:
            lines += [f"  constant unit_{k + 1}{v.attributes} = 1", f"  {v.own} = unit_{k + 1}*outputs({k + 1})"]
        else:
            lines.append(f"  {v.own} = outputs({k + 1})")
    return "\n".join([*lines, "end", ""])


def _steps(passed: str, inputs: Sequence[_Variable], held: Sequence[str]) -> list[str]:
    """The events. The inputs of a step have the values at its start after all outputs of that instant: they are taken
    in the pass after that in which the outputs change, which `phase` starts."""
    call = ["  when sample(0, step) then", f"    new(outputs) = {STEP}({passed})"]
    if not inputs:
        return [*call, "  endwhen"]
    taken = [f"    new({name}) = {v.own}" for v, name in zip(inputs, held, strict=True)]
    call += ["    new(phase) = 1 - phase", "  endwhen"]
    return ["  local phase (start=0)", *call, "  when phase > 0.5 then", *taken, "  elsewhen phase < 0.5 then", *taken,
            "  endwhen"]  # fmt: skip


def _of_type(variable: _Variable) -> str:
    return "" if variable.type == "Real" else f"({variable.type}) "


def _quoted(about: str) -> str:
    return f' "{about}"' if about else ""


def load_fmu(path: Path, span: Span) -> FmuClass | Diagnostic:
    """The class of the FMU that is named at `span`, or the reason why there is none."""
    try:
        return fmu_class(path)
    except Unsafe as error:
        return class_messages.fmu_unsafe(path.name, str(error), span)
    except (Damaged, OSError) as error:
        return class_messages.fmu_damaged(path.name, str(error), span)
    except Unsuited as error:
        return class_messages.fmu_unsuited(path.name, str(error), span)
    except NoReader:
        return class_messages.fmu_without_reader(path.name, span)
