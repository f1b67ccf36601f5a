"""A random circuit through the compiler and through the modified nodal analysis -> what they disagree about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from models_from_text import translate
from oracles.modified_nodal import Motion
from oracles.random_circuits import RandomCircuit

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import emit
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.targets.build import build

STOP, POINTS = 1.0, 6
# What is said of a circuit that has no single solution.
_SAYS_WHY = {"E401", "E402", "E403", "E404", "E405", "E410", "E411", "E503"}
# Beyond this a curve grows so fast that no two ways of computing it agree, or the run takes too long.
_LARGEST, _FASTEST = 1e6, 2e4


@dataclass(frozen=True)
class Verdict:
    """`kind` is 'curves', 'states' (where the curves are too fast to be compared), 'singular' or 'wrong'; `detail` says
    what."""

    kind: str
    detail: str = ""


def verdict_on(circuit: RandomCircuit) -> Verdict:
    """Refused or not, number of states, consistent start, and curves."""
    degree = circuit.circuit.degree()
    try:
        translated = translate(circuit.text)
    except ModelError as error:
        codes = sorted({d.code for d in error.diagnostics})
        right = degree is None and _SAYS_WHY.issuperset(codes)
        return Verdict("singular" if right else "wrong", " ".join(codes))
    if degree is None:
        return Verdict("wrong", "accepted, and has no single solution")
    states = len(translated.program.info.states)
    if states != degree:
        return Verdict("wrong", f"{states} states where {degree} values are free")
    return _compared(translated, Motion(circuit.circuit, degree))


def _compared(translated, motion: Motion) -> Verdict:
    if motion.fastest > _FASTEST:
        return Verdict("states")
    model = build(emit(translated.program, "python"), "python")
    result = simulate(
        model,
        Experiment(STOP, points=POINTS, rtol=1e-8, atol=1e-9, method="dopri5" if motion.fastest < 200 else "radau"),
    )
    if result.failure is not None:
        return Verdict("wrong", str(result.failure))
    found = np.array([result[name] for name in motion.names]).T
    begin, off = motion.start(found[0])
    size = 1.0 + np.max(np.abs(found[0]))
    if off > 1e-6 * size:
        return Verdict("wrong", f"the start is off the constraints by {off:.2g}")
    expected = motion.curves(begin, result.time)
    size = 1.0 + np.max(np.abs(expected))
    if size > _LARGEST:
        return Verdict("states")
    error = np.max(np.abs(found - expected), axis=0)
    worst = int(np.argmax(error))
    if error[worst] > 1e-5 * size:
        return Verdict("wrong", f"{motion.names[worst]} is off by {error[worst]:.2g}, of {size:.2g}")
    return Verdict("curves")
