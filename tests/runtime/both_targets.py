"""Compares the runs of both targets: the same instants of events, and the same values between them.

``python tests/runtime/both_targets.py COUNT`` compares random models, with ``cases`` behind the number all cases with
events too.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import pieces
from crossing_models import draw

import cutset
from cutset.runtime.errors import RunError

# The largest differences: of instants, as a part of the run; of values, as a part of their range.
INSTANT, VALUE = 1e-9, 1e-7
_MODELS = Path(__file__).parents[1] / "cases" / "models"


def difference(model: cutset.Model, **settings: object) -> str:
    """What differs between the targets; empty if nothing does."""
    runs = []
    for target in ("c", "python"):
        try:
            runs.append(model.simulate(target=target, **settings))
        except RunError as error:
            runs.append(error.code)
    one, other = runs
    if isinstance(one, str) or isinstance(other, str):
        return "" if one == other else f"{one} and {other}"
    if len(one.time) != len(other.time):
        return f"{len(one.time)} and {len(other.time)} rows"
    span = one.time[-1] - one.time[0] or 1.0
    apart = np.abs(one.time - other.time).max()
    if apart > INSTANT * span:
        return f"instants differ by {apart:g}"
    for name in model.states:
        a, b = one[name], other[name]
        worst = np.abs(a - b).max()
        if worst > VALUE * max(np.ptp(a), 1.0):
            return f"{name} differs by {worst:g}"
    if one.statistics.events != other.statistics.events:
        return f"events {one.statistics.events} and {other.statistics.events}"
    return ""


def random_difference(seed: int, folder: Path) -> str:
    """The same for a random model: of pieces with and without memory, or of crossings."""
    path = folder / f"random{seed}.mo"
    method = "rk4"
    if seed % 2:
        text, _, method = pieces.model_of(seed)
    else:
        text = draw(seed).text
    path.write_text(text)
    more = {"max_step": 5e-3} if method == "rk4" else {}
    return difference(cutset.load(path), stop=pieces.STOP, points=21, method=method, **more)


def main(count: int, cases: bool) -> None:
    """Print what differs."""
    with tempfile.TemporaryDirectory() as folder:
        random = {seed: found for seed in range(count) if (found := random_difference(seed, Path(folder)))}
    print(f"{len(random)} of {count} random models differ: {random}", flush=True)
    if not cases:
        return
    sys.path.append(str(Path(__file__).parents[1]))
    from cases.cases import CASES

    compared, bad = 0, {}
    for case in CASES:
        model = cutset.load(_MODELS / case.file, case.model)
        if not model.translated.info.relations:
            continue
        compared += 1
        if found := difference(model, stop=case.stop, points=51, parameters=case.parameters):
            bad[case.name] = found
            print(case.name, found, flush=True)
    print(f"{len(bad)} of {compared} cases with events differ")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:] == ["cases"])
