"""Random nonlinear DAEs of index 1 to 3 against their known solutions. ``python tests/sort/test_random_daes.py 500``
runs many."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import pytest
from oracles.random_daes import STOP, RandomDAE, random_dae

import cutset

TOLERANCES = (1e-5, 1e-8)
# Of these the states have to be chosen in the run: on one order of derivatives, on several, and in two sets.
SEEDS = (6, 9, 25, 26, 31)


def distances(dae: RandomDAE, folder: Path) -> list[float]:
    """How far each run is from the solution at most, for each tolerance."""
    path = folder / "model.mo"
    path.write_text(dae.text)
    model = cutset.load(path)
    found = []
    for tolerance in TOLERANCES:
        run = model.simulate(STOP, rtol=tolerance, atol=1e-2 * tolerance)
        values = np.stack([run[name] for name in dae.names], axis=1)
        found.append(float(np.abs(values - dae.values(run.time)).max()))
    return found


def verdict(coarse: float, fine: float) -> str:
    """'' where the run is right, and more so with the smaller tolerance."""
    if not fine < 1e-4:
        return f"{fine:.1e} from the solution"
    return (
        ""
        if fine < max(0.2 * coarse, 1e-6)
        else f"{coarse:.1e} from the solution, {fine:.1e} with the smaller tolerance"
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_follows_the_known_solution(seed: int, tmp_path: Path) -> None:
    dae = random_dae(seed)
    assert dae.turning
    assert verdict(*distances(dae, tmp_path)) == ""


def main() -> int:
    """Exit code 1 where a run is refused or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    kinds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            dae = random_dae(seed)
            try:
                said = verdict(*distances(dae, Path(folder)))
            except (cutset.ModelError, cutset.RunError) as error:
                said = str(error).partition("\n")[0]
            kinds["fine" if not said else "fault"] += 1
            kinds[f"index {dae.index}"] += 1
            kinds["turning"] += dae.turning
            if said:
                print(f"{seed}, index {dae.index}: {said}", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sorted(kinds.items())))
    return 1 if kinds["fault"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
