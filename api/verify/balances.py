"""Checks laws that hold in every formulation: results of a mechanism -> the largest violation.

The force into a body is the change of its momentum (laws of Newton and Euler). Forces and torques on an element without
mass cancel. Joints, rigid parts and constraints do no work: the power into all cuts of one is zero. Direction cosines
are those of a rotation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cutset.api.mechanics.frame_quantities import CutFrame, Place
from cutset.api.verify.comparison import Difference
from cutset.compiler.instantiate.instance import Instance
from cutset.contract.names import rpartition
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result

# What a balance may miss, relative to its terms, and relative to the largest of all: the rounding of sums that cancel.
_ROUNDING, _CANCELED = 1e-9, 1e-12
# What an element declares that does no work: a joint or a rigid part, or a constraint. Those with more than two frames
# are joints with rods.
_WORKLESS = {"T", "r", "C"}, {"T", "r", "F", "tau"}
_CENTER = ("r1", "r2", "r3")
_INERTIA = ("I11", "I21", "I31", "I21", "I22", "I32", "I31", "I32", "I33")
_MASSES = {"m", *_CENTER, *_INERTIA}
_Quantities = Mapping[str, Vector]


@dataclass(frozen=True)
class Element:
    """An element with cut-frames whose submodels have none. `name` is its path, `parameters` are their names;
    `is_workless` for joints and the like, `is_massless` for elements that pass all forces on."""

    name: str
    places: tuple[Place, ...]
    parameters: frozenset[str]
    is_massless: bool
    is_workless: bool


@dataclass(frozen=True)
class _Balance:
    """A sum that must be zero, of shape (n,), the size of its terms, and the largest factors of these."""

    what: str
    rest: Vector
    size: float
    factors: tuple[float, ...]


def elements_of(root: Instance, places: Mapping[str, Place]) -> tuple[Element, ...]:
    """The elements of a mechanism whose cuts are these."""
    of_path: dict[str, list[Place]] = {}
    for place in places.values():
        of_path.setdefault(place.instance, []).append(place)
    around = {path[:k] for path in of_path for k in range(len(path)) if path[k] == "."}
    found = []
    for instance in root.walk():
        own = tuple(of_path.get(instance.path, ()))
        if instance.path in around or not any(isinstance(place, CutFrame) for place in own):
            continue
        declared = {rpartition(v.name)[2] for v in instance.variables}
        parameters = frozenset(rpartition(p.name)[2] for p in instance.parameters)
        number = sum(isinstance(place, CutFrame) for place in own)
        is_workless = number > 2 or any(declared >= each for each in _WORKLESS)
        # A force that a user writes may act against something that is no part of the mechanism.
        passes_on = is_workless or all(equation.span.source.is_shipped for equation in instance.equations)
        is_massless = number > 1 and passes_on and "m" not in parameters
        found.append(Element(instance.path, own, parameters, is_massless, is_workless))
    return tuple(found)


def largest_violation(
    elements: Sequence[Element], parameters: Mapping[str, float], results: Sequence[Result]
) -> Difference | None:
    """The balance that misses most, in the last rows of the results; None if there are no balances. `parameters` has
    those that the results lack."""
    worst: Difference | None = None
    for number, result in enumerate(results, start=1):
        found = [(each.name, balance) for each in elements for balance in _balances(each, parameters, result)]
        weight, reach = _weight(elements, parameters, result)
        factors = {
            "balance of force": (weight,),
            "balance of torque": (weight * reach,),
            "balance of power": (weight, 0.0),
        }
        for _, balance in found:
            before = factors.get(balance.what, balance.factors)
            factors[balance.what] = tuple(map(max, before, balance.factors))
        for name, balance in found:
            allowed = _ROUNDING * balance.size + _CANCELED * math.prod(factors[balance.what]) + 1e-300
            k = int(np.argmax(np.abs(balance.rest)))
            size = float(abs(balance.rest[k]) / allowed)
            if worst is None or not size <= worst.size:
                label = f"{balance.what} {k + 1}" if len(balance.rest) > 1 else balance.what
                worst = Difference(f"{label} of {name}", f"at point {number}", size, 0.0, float(balance.rest[k]))
    return worst


def _weight(elements: Sequence[Element], parameters: Mapping[str, float], result: Result) -> tuple[float, float]:
    """The size of forces of inertia, also where a body falls freely and they cancel, and of their arms."""
    heaviest = strongest = reach = 0.0
    for element in elements:
        mass = f"{element.name}.m"
        if "m" in element.parameters:
            found = result[mass][-1] if mass in result else parameters.get(mass, 0.0)
            heaviest = max(heaviest, float(np.max(np.abs(found))))  # a chain may have several
        for place in element.places:
            last = {kind: float(np.linalg.norm(vector[-1])) for kind, vector in place.quantities(result)}
            strongest = max(strongest, last.get("acceleration", 0.0))
            reach = max(reach, last.get("position", 0.0))
    return heaviest * strongest, reach


def motion_of(element: Element, parameters: Mapping[str, float], result: Result) -> Iterator[tuple[Vector, float]]:
    """The kinetic energy of a rigid body in all rows, and its mass."""
    for place in element.places if element.parameters >= _MASSES and len(element.places) == 1 else ():
        frame = dict(place.quantities(result))
        if frame.keys() >= {"rotation", "velocity", "angular velocity"}:
            m, center, inertia = _mass_of(element, parameters, result)
            turn, w = frame["rotation"].reshape(-1, 3, 3), frame["angular velocity"]
            v = frame["velocity"] + np.cross(w, turn @ center)
            own = np.einsum("kji,kj->ki", turn, w)
            yield 0.5 * (m * np.sum(v * v, axis=1) + np.sum(own * (own @ inertia), axis=1)), m


def _balances(element: Element, parameters: Mapping[str, float], result: Result) -> Iterator[_Balance]:
    cuts = [{kind: vector[-1] for kind, vector in place.quantities(result)} for place in element.places]
    frames = [cut for cut in cuts if "position" in cut]
    for frame in frames:
        turn = frame["rotation"].reshape(3, 3)
        yield _Balance("square of the direction cosines", (turn.T @ turn - np.eye(3)).ravel(), 1.0, (1.0,))
    if len(frames) == 1:
        yield from _momentum(element, parameters, result, frames[0])
    if element.is_massless:
        yield from _equilibrium(frames)
    if element.is_workless:
        yield from _power(element, cuts, result)


def _mass_of(
    element: Element, parameters: Mapping[str, float], result: Result
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """The mass, the center and the inertia of a rigid body, as its class gives them."""

    def number(name: str) -> float:
        full = f"{element.name}.{name}"
        return float(result[full][-1]) if full in result else parameters[full]

    center = np.array([number(name) for name in _CENTER])
    return number("m"), center, np.array([number(name) for name in _INERTIA]).reshape(3, 3)


def _momentum(
    element: Element, parameters: Mapping[str, float], result: Result, frame: _Quantities
) -> Iterator[_Balance]:
    """The laws of Newton and Euler for a rigid body."""
    needed = {"rotation", "angular velocity", "angular acceleration", "acceleration", "force", "torque"}
    if not element.parameters >= _MASSES or not frame.keys() >= needed:
        return
    turn = frame["rotation"].reshape(3, 3)
    m, center, inertia = _mass_of(element, parameters, result)
    center, inertia = turn @ center, turn @ inertia @ turn.T
    w, alpha = frame["angular velocity"], frame["angular acceleration"]
    changes = [m * frame["acceleration"], m * np.cross(alpha, center), m * np.cross(w, np.cross(w, center))]
    yield _balance("force", [-frame["force"], *changes])
    turning = [inertia @ alpha, np.cross(w, inertia @ w), *(np.cross(center, change) for change in changes)]
    yield _balance("torque", [-frame["torque"], *turning])


def _equilibrium(frames: Sequence[_Quantities]) -> Iterator[_Balance]:
    """Forces and torques cancel, torques about the origin of the first frame."""
    if not frames or not all(frame.keys() >= {"force", "torque"} for frame in frames):
        return
    origin = frames[0]["position"]
    yield _balance("force", [frame["force"] for frame in frames])
    arms = [frame["position"] - origin for frame in frames]
    moments = [np.cross(arm, frame["force"]) for arm, frame in zip(arms, frames, strict=True)]
    products = [float(np.linalg.norm(a) * np.linalg.norm(f["force"])) for a, f in zip(arms, frames, strict=True)]
    yield _balance("torque", [*(frame["torque"] for frame in frames), *moments], max(products))


def _power(element: Element, cuts: Sequence[_Quantities], result: Result) -> Iterator[_Balance]:
    pairs: list[tuple[Vector, Vector]] = []
    for place, cut in zip(element.places, cuts, strict=True):
        if "drive force" in cut:
            velocity = None if place.across[1] is None else place.across[1].of(result)
            if velocity is None:
                return
            pairs.append((cut["drive force"], velocity[-1:]))
        elif cut.keys() >= {"force", "torque", "velocity", "angular velocity"}:
            pairs += [(cut["force"], cut["velocity"]), (cut["torque"], cut["angular velocity"])]
        else:
            return
    norms = [(float(np.linalg.norm(force)), float(np.linalg.norm(velocity))) for force, velocity in pairs]
    total = sum(float(force @ velocity) for force, velocity in pairs)
    largest = tuple(max(norm[k] for norm in norms) for k in (0, 1))
    yield _Balance("balance of power", np.array([total]), sum(map(math.prod, norms)), largest)


def _balance(what: str, terms: Sequence[NDArray[np.float64]], product: float = 0.0) -> _Balance:
    """`product` is the largest one in the terms, where such may cancel."""
    size = float(np.sum(np.abs(terms), axis=0).max())
    return _Balance(f"balance of {what}", np.sum(terms, axis=0), size, (max(size, product),))
