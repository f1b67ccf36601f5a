"""Checks that events make no energy: elements of a model, rows of a run -> the largest gain.

A blow, a clutch that closes, a stop, an impact, a switch that joins two capacitors: all take energy or keep it, within
so short a time that nothing else gives any. Models in which a motion is prescribed are left out, and those with
equations of the user; of circuits all with sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cutset.api.verify.balances import Element, motion_of
from cutset.api.verify.comparison import Difference
from cutset.compiler.instantiate.instance import Instance
from cutset.contract.names import rpartition
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result

# The mass and the velocity of moving parts of drive lines.
_MOVING = {"Inertia": ("J", "w"), "FreeInertia": ("J", "w")} | dict.fromkeys(
    ("Mass", "FreeMass", "MassWithStop"), ("m", "v")
)
# The same of a circuit, and what stores nothing.
_STORES = {"Capacitor": ("C", "u"), "Inductor": ("L", "i")}
_PASSIVE = {
    "Resistor", "Conductor", "Ground", "Short", "Open", "OpeningSwitch", "ClosingSwitch", "IdealDiode", "Diode",
    "VoltageSensor", "CurrentSensor", "PotentialSensor",
} | _STORES.keys()  # fmt: skip
# What prescribes a motion, and may give energy at an event.
_PRESCRIBING = {
    "Position", "Speed", "Accelerate", "SoftPosition", "SoftSpeed", "ConstSpeed", "Motion", "CutVelocity"
}  # fmt: skip
# Events that are nearer, relative to the length of the run, are one; what they may add, relative to the largest energy,
# and to that at a speed of 1e-6.
_NEAR, _ALLOWED, _SLOW = 1e-5, 1e-3, 1e-6


def moving_parts(root: Instance) -> Mapping[str, tuple[str, str]] | None:
    """The mass and the velocity of the parts of drive lines, by path; None where events may give energy."""
    found = {}
    for instance in root.walk():
        name = rpartition(instance.class_name)[2]
        if name in _PRESCRIBING or any(not each.span.source.is_shipped for each in instance.equations):
            return None
        if name in _MOVING:
            found[instance.path] = _MOVING[name]
    return found


def stores(root: Instance) -> Mapping[str, tuple[str, str]] | None:
    """The same for the capacitors and inductors of a circuit without sources; None for other models."""
    names = {each.path: rpartition(each.class_name)[2] for each in root.walk() if each is not root}
    found = {path: _STORES[name] for path, name in names.items() if name in _STORES}
    return found if found and _PASSIVE.issuperset(names.values()) else None


def energy_violation(
    parts: Mapping[str, tuple[str, str]], elements: Sequence[Element], parameters: Mapping[str, float], run: Result
) -> Difference | None:
    """The event that adds most; None without events or moving parts."""
    terms = list(_energies(parts, elements, parameters, run))
    spans = list(_events(run.time))
    if not terms or not spans:
        return None
    energy = np.sum([each for each, _ in terms], axis=0)
    allowed = _ALLOWED * float(energy.max()) + _SLOW**2 * sum(mass for _, mass in terms) + 1e-300
    first, last = max(spans, key=lambda span: energy[span[1]] - energy[span[0]])
    gain = float(energy[last] - energy[first])
    return Difference("energy", f"at the event at time {run.time[first]:g}", max(gain, 0.0) / allowed,
                      float(energy[first]), float(energy[last]))  # fmt: skip


def _energies(
    parts: Mapping[str, tuple[str, str]], elements: Sequence[Element], parameters: Mapping[str, float], run: Result
) -> Iterator[tuple[Vector, float]]:
    """The energies in all rows, with the masses or what stands for them."""
    for path, names in parts.items():
        mass, speed = (f"{path}.{name}" for name in names)
        if mass in parameters and speed in run:
            yield 0.5 * parameters[mass] * run[speed] ** 2, parameters[mass]
    for element in elements:
        yield from motion_of(element, parameters, run)


def _events(times: Vector) -> Iterator[tuple[int, int]]:
    """The rows before and after the events, which are few that follow each other at once."""
    at = np.flatnonzero(np.diff(times) == 0.0)
    groups = np.split(at, np.flatnonzero(np.diff(times[at]) > _NEAR * (times[-1] - times[0])) + 1) if len(at) else []
    yield from ((int(group[0]), int(group[-1]) + 1) for group in groups)
