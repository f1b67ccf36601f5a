"""Mechanisms with loops by mbssim: the text of the case with the other include line. Curves meet, and at the start all
of the motion agrees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cases import mechanisms, trees
from cases.case import FOLDER
from cases.measure import measure, translated

LOOPS = {case.model: case for case in (*mechanisms.CASES, *trees.CASES) if case.file in ("loops.mo", "line_force.mo")}
# It has the loop of Engine1a six times.
del LOOPS["EngineV6"]
MOTION = {"Ta", "Tb", "ra", "rb", "va", "vb", "aa", "ab", "q", "qd", "qdd"}


@pytest.fixture(scope="module")
def by_mbssim(tmp_path_factory):
    """The case with the same text but for its include line."""
    folder = tmp_path_factory.mktemp("mbssim")

    def changed(case):
        text = (FOLDER / "models" / case.file).read_text(encoding="utf-8")
        assert text.count("\n@mbs\n") == 1
        file = folder / case.file
        file.write_text(text.replace("\n@mbs\n", "\n@mbssim\n"), encoding="utf-8")
        return replace(case, file=str(file))

    return changed


@pytest.mark.parametrize("name", ["LineForceWithTwoMasses", "Fourbar1"])
def test_curves_meet_by_either_library(name, by_mbssim):
    case = by_mbssim(LOOPS[name])
    assert translated(case.file, name).inspect()["states"] == case.states
    found = measure(case)
    assert found.worst <= case.bound, found.apart


def _motion(run) -> dict[str, float]:
    """Positions, velocities and accelerations at the start."""
    return {name: float(run[name][0]) for name in run.names() if name.rpartition(".")[2].partition("(")[0] in MOTION}


@pytest.mark.parametrize("name", LOOPS)
def test_accelerations_at_the_start_are_the_same(name, by_mbssim):
    runs = []
    for case in (LOOPS[name], by_mbssim(LOOPS[name])):
        runs.append(
            _motion(translated(case.file, name).simulate(0.0, target="python", parameters=dict(case.parameters)))
        )
    shared = sorted(set(runs[0]) & set(runs[1]))
    assert len(shared) > 50
    ours, theirs = (np.array([run[n] for n in shared]) for run in runs)
    apart = np.abs(ours - theirs) > 1e-9 * np.maximum(1.0, np.max(np.abs(theirs)))
    assert [shared[k] for k in np.flatnonzero(apart)] == []
