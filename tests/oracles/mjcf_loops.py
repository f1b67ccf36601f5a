"""Random mechanisms with loops in MJCF: planar and spatial ones, turned about right angles, coupled, over-constrained.

    python -m tests.oracles.mjcf_loops [FIRST [COUNT [LIBRARY]]]

compares each along its motion with MuJoCo's mass matrix, forces and Jacobian, as `mujoco_files` does. MuJoCo attaches
the second body where the first one is in the home pose, so that every loop closes there.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from oracles.mujoco_files import Robot

import cutset

# Turns by 0, pi, pi/2 and -pi/2 about axes of the file: what they leave of other directions is rounding.
_TURNS = ("1 0 0 0", "0 0 0 1", "0 1 0 0", "0.7071067811865476 0 0 0.7071067811865476", "0.5 -0.5 0.5 0.5")
SECONDS, ROWS = 0.15, 5


def mechanism(seed: int) -> str:
    """The text of a mechanism with one or two loops of at least one degree of freedom each, perhaps coupled."""
    rng = np.random.default_rng(seed)
    loops = int(rng.integers(1, 3))
    is_planar, alike = bool(rng.random() < 0.6), bool(rng.random() < 0.5)
    seeds = rng.integers(0, 2**31, loops)
    bodies, equalities, joints = [], [], []
    for k in range(loops):
        text, equality, own = _loop(k, np.random.default_rng(seeds[0] if alike else seeds[k]), is_planar)
        turn = _TURNS[rng.integers(len(_TURNS))] if rng.random() < 0.7 else _numbers(_unit(rng, 4))
        bodies.append(f'<body name="base{k}" pos="0 {k} 0" quat="{turn}">{text}</body>')
        equalities.append(equality)
        joints.append(own)
    if loops == 2 and rng.random() < 0.7:
        factor = 1.0 if alike else float(rng.choice([1.0, -1.0, 0.5]))
        one, other = joints[0][0], joints[1][0]
        equalities.append(f'<joint joint1="{one}" joint2="{other}" polycoef="0 {factor} 0 0 0"/>')
    base = '<body name="frame" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>'
    return (
        f'<mujoco model="m{seed}"><compiler angle="radian"/><worldbody>{base}{"".join(bodies)}</body></worldbody>'
        f"<equality>{''.join(equalities)}</equality></mujoco>"
    )


def _loop(k: int, rng: np.random.Generator, is_planar: bool) -> tuple[str, str, list[str]]:
    """Two chains of hinges and, in a plane, slides whose ends are connected."""
    least = 3 if is_planar else 4
    first, second = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    second = max(second, least - first)
    is_welded = is_planar and first + second > 3 and rng.random() < 0.3
    joints: list[str] = []
    ends, texts = [], []
    for side, count in enumerate((first, second)):
        text, closing = "", ""
        for n in range(count):
            name = f"j{k}{side}{n}"
            joints.append(name)
            place = np.array([0.5 * side if n == 0 else 0.0, 0.0, 0.0]) + rng.uniform(0.1, 0.5, 3) * (n > 0)
            axis, kind = _unit(rng, 3), "hinge"
            if is_planar:
                place[1], axis = 0.0, np.array([0.0, 1.0, 0.0])
                if n and side and rng.random() < 0.3:
                    kind, axis = "slide", np.array([1.0, 0.0, 0.0])
            text += (
                f'<body name="b{k}{side}{n}" pos="{_numbers(place)}"><joint name="{name}" type="{kind}" '
                f'axis="{_numbers(axis)}" damping="0.1"/><inertial diaginertia=".02 .03 .02" '
                f'pos="{_numbers(rng.uniform(0, 0.2, 3) * [1, 0, 1])}" mass="{rng.uniform(0.3, 2):.3f}"/>'
            )
            closing += "</body>"
        ends.append(f"b{k}{side}{count - 1}")
        texts.append(text + closing)
    where = _numbers(rng.uniform(0.1, 0.4, 3) * [1, 0 if is_planar else 1, 1])
    kind, at = ("weld", "") if is_welded else ("connect", f' anchor="{where}"')
    return "".join(texts), f'<{kind} body1="{ends[0]}" body2="{ends[1]}"{at}/>', joints


def _unit(rng: np.random.Generator, n: int) -> np.ndarray:
    vector = rng.normal(size=n)
    return np.asarray(vector / np.linalg.norm(vector))


def _numbers(vector: np.ndarray) -> str:
    return " ".join(f"{x:.16g}" for x in vector)


def difference(seed: int, folder: Path, library: str = "mbssim") -> float:
    """The largest difference of accelerations, relative to the largest one. ModelError, RunError."""
    path = folder / f"m{seed}.xml"
    path.write_text(mechanism(seed), encoding="utf-8")
    return Robot(path, library).difference(ROWS, SECONDS)


def main() -> int:
    """Compare the mechanisms that the command line names."""
    first, count = (int(word) for word in (*sys.argv[1:3], *("0", "100")[len(sys.argv[1:3]) :]))
    library, wrong = (sys.argv[3:] or ["mbssim"])[0], 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            try:
                found = difference(seed, Path(folder), library)
                said = "" if found < 1e-7 else f"differs by {found:.1e}"
            except (cutset.ModelError, cutset.RunError) as error:
                said = str(error).splitlines()[0]
            if said:
                wrong += 1
                print(f"{seed}: {said}", flush=True)
    print(f"{count} mechanisms, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
