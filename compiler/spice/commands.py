"""Reads the commands of a netlist: statements -> the experiment, and remarks on what to type instead."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.robots.names import shown
from cutset.compiler.spice.expressions import Tree, constant, number_of, parse
from cutset.compiler.spice.lines import Statement
from cutset.compiler.spice.measures import PROBE, measure_of, probed
from cutset.compiler.spice.netlist import Circuit, parts_of
from cutset.compiler.spice.scope import Scope, plain, readable
from cutset.compiler.spice.sources import Times

_QUIET = frozenset((".width", ".title", ".backanno", ".end", ".endl", ".nodeset"))
_MOST_ROWS = 20000


@dataclass
class Commands:
    """What the commands say: the settings of the run, the temperatures in degrees, if the run starts at rest, and those
    for which a remark says what to type. `losses` are what is not carried over."""

    times: Times = field(default_factory=lambda: Times(Tree("number", "1e-9"), Tree("number", "1")))
    experiment: list[str] = field(default_factory=list)
    temperature: float | None = None
    nominal: float = 27.0
    gmin: str = ""
    rests: bool = True
    losses: list[str] = field(default_factory=list)
    later: list[tuple[str, Statement]] = field(default_factory=list)

    def remarks(self, scope: Scope, file: str) -> list[str]:
        """What to type for each command."""
        found = []
        for word, statement in self.later:
            probes, varied = _shown(statement, scope), _varied(statement, scope)
            measure = measure_of(statement, scope)
            facts = {
                "file": file,
                "outputs": ",".join(probes) or "NAME",
                "curve": probes[0] if probes else "NAME",
                "number": (_numbers(statement) or ["FREQUENCY"])[0],
                "varied": varied or "NAME=FROM:TO:NUMBER",
                "steady": " --steady" if self.rests else "",
                "measure": shlex.quote(measure),
                "band": ":".join(_numbers(statement)[-2:]),
            }
            remark = _REMARKS[word] if measure or not word.startswith(".meas") else _NOT_MEASURED
            found.append(f"{shown(statement.text[:60])}: {remark.format(**facts)}")
        return found


_SHOWN = "cutset simulate {file}{steady} --outputs {outputs}"
_MEASURED = "cutset simulate {file}{steady} --measure {measure}"
_NOT_MEASURED = "none of the measures in docs/use/results.md is equal to it"
_REMARKS = {
    ".op": "cutset steady {file}", ".tran": "cutset simulate {file}{steady}",
    ".ac": "cutset linearize {file} --steady --outputs {outputs} --bode bode.png",
    ".noise": "cutset linearize {file} --steady --outputs {outputs} --noise {band}",
    ".dc": "cutset sweep {file} --steady --vary {varied} --outputs {outputs}",
    ".step": "cutset sweep {file} --vary {varied} --outputs 'max({outputs})'",
    ".meas": _MEASURED, ".measure": _MEASURED,
    ".four": "cutset simulate {file}{steady} --measure 'thd({curve}, f={number})'",
    ".print": _SHOWN, ".plot": _SHOWN, ".probe": _SHOWN, ".save": _SHOWN,
}  # fmt: skip
_OPTIONS = {"temp", "tnom", "gmin"}


def read_commands(circuit: Circuit) -> Commands:
    """The settings. ModelError E160 for values that are no numbers."""
    found, errors = Commands(), list[Diagnostic]()
    for statement in circuit.commands:
        try:
            _read(statement, circuit, found)
        except ModelError as error:
            errors += error.diagnostics
    if errors:
        raise ModelError(errors)
    return found


def _read(statement: Statement, circuit: Circuit, found: Commands) -> None:
    word, (words, values) = statement.words[0].lower(), parts_of(statement.words[1:])
    if word == ".tran":
        _read_transient(statement, words, circuit, found)
    elif word == ".temp" and words:
        found.temperature = _number(words[0], statement, circuit)
        if len(words) > 1:
            found.losses.append(f"{statement.span}: further temperatures: cutset sweep varies T_ambient, in K")
    elif word in (".options", ".option", ".opt"):
        _read_options(statement, values, words, circuit, found)
    elif word == ".control":
        found.losses.append(f"{statement.span}: the commands between .control and .endc")
    elif word in _REMARKS:
        found.later.append((word, statement))
    elif word not in _QUIET:
        found.losses.append(f"{statement.span}: {shown(statement.text[:60])}")


def _number(text: str, statement: Statement, circuit: Circuit) -> float:
    return constant(_tree(text, statement, circuit)) or 0.0


def _tree(text: str, statement: Statement, circuit: Circuit) -> Tree:
    return Scope(circuit).tree(parse(text, statement.span), statement.span)


def _read_transient(statement: Statement, words: Sequence[str], circuit: Circuit, found: Commands) -> None:
    numbers = [_number(each, statement, circuit) for each in words if each.lower() not in ("uic", "startup")]
    starts = any(each.lower() == "uic" for each in words)
    step, stop = [*numbers, 0.0, 0.0][:2] if len(numbers) != 1 else (numbers[0] / 1000, numbers[0])
    if stop > 0:
        found.times = Times(Tree("number", plain(step or stop / 50)), Tree("number", plain(stop)))
        rows = f", interval={readable(plain(step), 'sec')}" if 0 < step < stop and stop / step <= _MOST_ROWS else ""
        limit = f", max_step={readable(plain(numbers[3]), 'sec')}" if len(numbers) > 3 and numbers[3] > 0 else ""
        found.experiment = [f"experiment (stop={readable(plain(stop), 'sec')}{rows}{limit})"]
    if len(numbers) > 2 and numbers[2] > 0:
        found.losses.append(f"{statement.span}: that results begin at {plain(numbers[2])} s only")
    found.rests = not starts and not circuit.initial
    if circuit.initial and not starts:
        found.losses.append(
            f"{statement.span}: the operating point with .ic: all that .ic does not give starts at zero"
        )
    found.later.append((".tran", statement))


def _read_options(
    statement: Statement, values: dict[str, str], words: Sequence[str], circuit: Circuit, found: Commands
) -> None:
    if "temp" in values:
        found.temperature = _number(values["temp"], statement, circuit)
    if "tnom" in values:
        found.nominal = _number(values["tnom"], statement, circuit)
        if found.temperature is None and found.nominal != 27:
            found.temperature = 27.0
    if "gmin" in values:
        found.gmin = plain(_number(values["gmin"], statement, circuit))
    others = [*words, *(key for key in values if key not in _OPTIONS)]
    if others:
        found.losses.append(f"{statement.span}: the options {shown(', '.join(others))}: see --rtol, --atol, --method")


def _shown(statement: Statement, scope: Scope) -> list[str]:
    """The variables of the voltages and currents in a command."""
    found: list[str] = []
    for kind, inner in PROBE.findall(statement.text):
        try:
            text = probed(kind, inner, scope, statement)
        except ModelError:
            continue
        if re.fullmatch(r"[\w.]+", text) and text != "0" and text not in found:
            found.append(text)
    return found


def _numbers(statement: Statement) -> list[str]:
    return [plain(float(number)) for word in statement.words if (number := number_of(word)) is not None]


def _varied(statement: Statement, scope: Scope) -> str:
    """What --vary takes for .dc and .step; empty for another command."""
    words = [word for word in parts_of(statement.words[1:])[0] if word.lower() not in ("param", "lin")]
    numbers = [number_of(word) for word in words[1:4]]
    if len(numbers) < 3 or None in numbers:
        return ""
    part = scope.parts.get(words[0].lower())
    name = scope.parameters.get(words[0].lower(), "")
    if part is not None and part.values:
        name = f"{part.name}.{part.values[0].partition('=')[0]}"
    low, high, step = (float(each or 0) for each in numbers)
    return f"{name}={plain(low)}:{plain(high)}:{round(abs((high - low) / step)) + 1}" if name and step else ""
