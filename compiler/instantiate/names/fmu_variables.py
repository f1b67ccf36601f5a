"""Reads the description of an FMU, and gives its variables names of the language. Runs no code of the FMU."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutset.compiler.instantiate.names.fmu_terminals import Terminal, cut_of
from cutset.compiler.syntax.tree import START
from cutset.compiler.units.parse import Misread, parse_unit
from cutset.contract.fmu_archive import DESCRIPTION, Damaged, read_description
from cutset.contract.fmu_elements import MOST_ELEMENTS, element_names, size_of

# The limit on numbers that are outputs: what an FMU returns is an array of the language.
_MOST_OUTPUTS = 9000
# How many variables a message names.
_MOST_NAMED = 10
# The limit on characters of a name.
_LONGEST = 80
_PORTS = ("parameter", "input", "output")
_INTEGERS = frozenset({"Integer", "Enumeration", *(f"{u}Int{n}" for u in ("", "U") for n in (8, 16, 32, 64))})
_REALS = frozenset({"Real", "Float32", "Float64"})
# As the language writes indices.
_ROUND = str.maketrans("[]", "()")
# Numbered names of the class.
_NUMBERED = re.compile(r"(unit|held|outputs)_\d+")


class Unsuited(Exception):
    """The FMU cannot be a component; the message is a sentence about it that starts with 'it', `hint` the remedy."""

    def __init__(self, what: str, hint: str = "export it for co-simulation or model exchange of FMI 2 or 3"):
        super().__init__(what)
        self.hint = hint


class NoReader(Exception):
    """The package that reads model descriptions is missing."""


class _Names:
    """Names of the language for those of an FMU: a name that is one already is kept, so that others give way."""

    def __init__(self, reserved: Iterable[str], names: Iterable[str]):
        self._used = set(reserved)
        self._kept = {name for name in names if len(name) <= _LONGEST and self._fits(name)}

    def _fits(self, name: str) -> bool:
        from cutset.compiler.syntax.parse import is_name

        return name not in self._used and is_name(name) and not _NUMBERED.fullmatch(name)

    def __contains__(self, name: str) -> bool:
        return name in self._used

    def own(self, name: str) -> str:
        """The name for this one, which is now used."""
        own = name
        if name not in self._kept or name in self._used:
            own = _spelled(name)
            while own in self._kept or not self._fits(own):
                own += "_"
        self._used.add(own)
        return own


def _spelled(name: str) -> str:
    """The name with characters that the language allows."""
    own = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")[:_LONGEST] or "v"
    return f"v_{own}" if own[0].isdigit() else own


@dataclass(frozen=True)
class Variable:
    """A number of the FMU, a scalar or an element of an array: its name, that in the class, its type there, and its
    attributes as text. A discrete one changes at events only. `of` is the name of the array, or of the scalar;
    `declared` is what the class declares, with the value `start`: an array at its first element, '' at the others."""

    name: str
    own: str
    type: str
    attributes: str
    start: str
    about: str
    is_discrete: bool
    of: str
    declared: str


@dataclass(frozen=True)
class Ports:
    """The parameters, inputs and outputs of an FMU, and the lines of its cuts."""

    parameters: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    cuts: tuple[str, ...] = ()

    @property
    def declarations(self) -> list[str]:
        """The lines that declare them."""
        lines = [
            *(f"  parameter {of_type(v)}{v.declared}{v.attributes} = {v.start}" for v in self.parameters),
            *(f"  input {of_type(v)}{v.declared}{v.attributes}" for v in self.inputs),
            *(f"  output {of_type(v)}{v.declared}{v.attributes}" for v in self.outputs),
        ]
        variables = *self.parameters, *self.inputs, *self.outputs
        declared = [line + _quoted(v.about) for line, v in zip(lines, variables, strict=True) if v.declared]
        return [*declared, *self.cuts]


@dataclass(frozen=True)
class FmuClass:
    """The text of the class, and for each of its functions the names that the FMU has for the parameters, the inputs
    and the outputs that it passes and gets."""

    text: str
    names: tuple[tuple[tuple[str, ...], ...], ...]


def ports_of(
    description: Any, terminals: Sequence[Terminal], reserved: Sequence[str], starts: Collection[str] = ()
) -> Ports:
    """The parameters, inputs, outputs and cuts, with names that are not `reserved`, without texts and binaries; a
    triggered input clock is a Boolean input. `starts` are parameters for start values. Unsuited if an array is too
    large or a start value does not exist."""
    used = _Names(reserved, (v.name for v in description.modelVariables if v.causality in _PORTS))
    parameters, inputs, outputs = (
        tuple(
            number
            for v in description.modelVariables
            if v.causality == causality and (causality == "output" or not v.alias)
            if is_number(v) or (causality == "input" and _is_triggered(v))
            for number in _numbers(v, used.own(v.name), causality)
        )
        for causality in _PORTS
    )
    reals = {v.name: v.own for v in (*inputs, *outputs) if v.type == "Real"}
    cuts = [cut_of(used.own(terminal.name), terminal, reals) for terminal in terminals]
    if len(outputs) > _MOST_OUTPUTS:
        hint = "export it with fewer outputs"
        raise Unsuited(f"it has {len(outputs)} outputs; the limit is {_MOST_OUTPUTS}", hint)
    parameters += tuple(_starts_of(description, starts, used))
    return Ports(parameters, inputs, outputs, tuple(cut for cut in cuts if cut is not None))


def result_lines(k: int, variable: Variable, value: str) -> list[str]:
    """The equation of output k, whose number is `value`."""
    if variable.type == "Boolean":
        return [f"  {variable.own} = {value} > 0.5"]
    if variable.attributes:
        return [f"  constant unit_{k}{variable.attributes} = 1", f"  {variable.own} = unit_{k}*{value}"]
    return [f"  {variable.own} = {value}"]


def about_fmu(description: Any) -> str:
    """The description of the FMU as text for a string of the language."""
    about = _plain(description.description or f"the FMU {description.modelName}")
    ports = [v for v in description.modelVariables if v.causality in _PORTS]
    missing = [_plain(v.name)[:40] for v in ports if not is_number(v) and v.type != "Clock"]
    return about + (f"; texts and binaries are left out: {', '.join(missing[:10])}" if missing else "")


def names_of(variables: Iterable[Variable]) -> tuple[str, ...]:
    """Their names in the FMU."""
    return tuple(v.name for v in variables)


def read_fmu(path: Path) -> Any:
    """The description as FMPy reads it. Damaged, Unsafe, Unsuited, NoReader; FileNotFoundError."""
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


def input_clocks(description: Any) -> list[Any]:
    """The clocks that the FMU does not tick itself. To those that it ticks nobody needs to listen."""
    return [v for v in description.modelVariables if (v.type, v.causality) == ("Clock", "input")]


def is_number(variable: Any) -> bool:
    """True for numbers and Booleans, scalars or arrays."""
    return variable.type in _REALS | _INTEGERS or variable.type == "Boolean"


def _is_triggered(variable: Any) -> bool:
    return bool(variable.type == "Clock" and variable.intervalVariability == "triggered")


def shape_of(variable: Any) -> tuple[int, ...]:
    """The shape of an array with the start values of its dimensions; () for a scalar. Unsuited if it is too large."""
    shape = tuple(variable.shape or ())
    if any(n < 0 for n in shape) or size_of(shape) > MOST_ELEMENTS:
        raise Unsuited(f"its array '{variable.name[:60]}' has more than {MOST_ELEMENTS} elements, or less than none")
    return shape


def _starts_of(description: Any, wanted: Collection[str], used: _Names) -> Iterator[Variable]:
    """The parameters for start values of outputs and local variables that have these names: `h_start` for h."""
    exact = {
        _spelled(v.name) + START: v
        for v in description.modelVariables
        if v.initial == "exact" and v.causality in ("output", "local") and v.variability != "constant"
        if is_number(v) and not v.alias
    }
    for name in sorted(wanted):
        if name in exact and name not in used:
            yield from _numbers(exact[name], used.own(name), "parameter")
        elif name not in used:
            known = ", ".join(own.removesuffix(START) for own in list(exact)[:_MOST_NAMED])
            available = f"it has {known}" if known else "it has none"
            what = f"it has no start value of '{name.removesuffix(START)}' that can be given"
            raise Unsuited(what, f"give that of a variable whose attribute 'initial' is 'exact': {available}")


def _numbers(variable: Any, own: str, causality: str) -> list[Variable]:
    """The variable as the class has it, for an array its elements."""
    shape = shape_of(variable)
    is_truth = variable.type in ("Boolean", "Clock")
    kind = "Boolean" if is_truth else "Integer" if variable.type in _INTEGERS else "Real"
    if causality == "output" and kind == "Integer":
        kind = "Real"
    unit = variable.unit or (variable.declaredType.unit if variable.declaredType is not None else None)
    starts = _starts(variable, kind, size_of(shape))
    given = [f'unit="{unit}"'] if unit and kind == "Real" and _is_unit(unit) else []
    given += _limits(variable, starts) if causality == "parameter" and kind != "Boolean" else []
    attributes = f" ({', '.join(given)})" if given else ""
    is_discrete = kind != "Real" or variable.type in _INTEGERS or variable.variability == "discrete"
    about = _plain(variable.description or "")
    # The language has vectors and matrices, whose dimensions are larger than 1.
    sizes = [n for n in shape if n > 1] or [1]
    own_shape = tuple(sizes) if len(sizes) <= 2 else (size_of(shape),)
    places = element_names("", own_shape) if shape else []
    found = []
    for k, name in enumerate(element_names(variable.name, shape)):
        declared, start = own if not shape else "", starts[k]
        if shape and not k:
            declared, start = f"{own}({', '.join(map(str, own_shape))})", _literal(starts, own_shape)
        place = places[k].translate(_ROUND) if shape else ""
        found.append(Variable(name, own + place, kind, attributes, start, about, is_discrete, variable.name, declared))
    return found


def _limits(variable: Any, starts: Sequence[str]) -> list[str]:
    """The limits of a parameter as attributes, unless its own start value is outside of them."""
    found = []
    for name in ("min", "max"):
        text = getattr(variable, name) or (variable.declaredType and getattr(variable.declaredType, name))
        limit = _start(str(text), "Real") if text else ""
        sign = 1 if name == "min" else -1
        if limit and all(sign * (float(start) - float(limit)) >= 0.0 for start in starts):
            found.append(f"{name}={limit}")
    return found


def _literal(values: Sequence[str], shape: Sequence[int]) -> str:
    """The values as a vector or matrix of the language."""
    rows = [values[k : k + shape[-1]] for k in range(0, len(values), shape[-1])]
    return f"[{'; '.join(', '.join(row) for row in rows)}]"


def _starts(variable: Any, kind: str, size: int) -> list[str]:
    """The start values of the elements."""
    texts = str(variable.start if variable.start is not None else "").split()
    return [_start(texts[k] if k < len(texts) else "", kind) for k in range(size)]


def _start(text: str, kind: str) -> str:
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


def safe(text: str) -> str:
    """The name of a file for a string of the language."""
    return re.sub(r"[^\w.\- ]", "_", text)


def of_type(variable: Variable) -> str:
    """The type before a name in a declaration."""
    return "" if variable.type == "Real" else f"({variable.type}) "


def _quoted(about: str) -> str:
    return f' "{about}"' if about else ""
