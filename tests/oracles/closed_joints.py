"""``python -m tests.oracles.closed_joints``: a body on each joint, held by each element that closes a loop, at home and
displaced, where the loop is closed. All libraries have to start, to run, and to agree in the place of the bar's end."""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

import cutset

LIBRARIES = ("mbs", "mbssim", "mbsmat", "mbsabs")
JOINTS = {
    "Revolute": "n2=1, q0={a}", "Prismatic": "n2=1, q0={a}", "Screw": "n2=1, q0={a}, pitch=0.2",
    "Cylindrical": "n2=1, q01={a}, q02={b}", "Universal": "na1=1, nb2=1, q01={a}, q02={b}",
    "Planar": "n3=1, nx=[1, 0, 0], q01={a}, q02={b}, q03={a}", "SphericalCardan": "q01={a}, q02={b}, q03={a}",
    "Spherical": "angle1={a}, angle2={b}, angle3={a}", "Free": "x1={a}, x2={b}, angle1={a}, angle2={b}, angle3={a}",
    "FreeCardan": "q01={a}, q02={b}, q04={a}, q05={b}, q06={a}",
}  # fmt: skip
CLOSINGS = {
    "RodSphericalSpherical": "(length=1)", "CutSpherical": "", "CutPlanar": "(n{k}=1)",
    "CutUniversal": "(na{k}=1, nb{l}=1)", "CutCylindrical": "(n{k}=1)", "CutRevolute": "(n{k}=1)",
    "CutPrismatic": "(n{k}=1)",
}  # fmt: skip
_DISPLACED = (0.2, -0.1)
_OFFSET = np.array([0.5, 0.2, 0.4])
_HEAD = """@{library}
model M
  submodel (Inertial) i(ng=[0.3, 0, -1])
  submodel ({joint}) j({given})
  submodel (Body) m(m=2, r=[0.1, -0.2, 0.3], I=[0.4, 0.05, -0.1; 0.05, 0.5, 0.02; -0.1, 0.02, 0.6])
"""
_LOOP = """  submodel (Bar) b(r=[0.5, 0.2, 0.4])
  submodel (Fixed) w(r=[{r}], n=[{n}], angle={angle!r})
  submodel ({closing}) c{how}
  connect i to j, m at j:b, j:b to b, i to w, c:a at b:b, c:b at w:b
end
"""


def text(joint: str, closing: str, axis: int, displaced: bool, folder: Path, library: str = "mbs") -> str:
    """The model, closed where the joint starts; `axis` 1, 2 or 3 is that of the closing element."""
    a, b = _DISPLACED if displaced else (0.0, 0.0)
    head = _HEAD.format(library=library, joint=joint, given=JOINTS[joint].format(a=a, b=b))
    turn, place = _pose(_HEAD.format(library="mbsabs", joint=joint, given=JOINTS[joint].format(a=a, b=b)), folder)
    end = place + turn @ _OFFSET + ([0, 1, 0] if closing == "RodSphericalSpherical" else 0)
    rotation = Rotation.from_matrix(turn).as_rotvec()
    angle = float(np.linalg.norm(rotation))
    n = rotation / angle if angle else np.array([0.0, 0.0, 1.0])
    r, n = (", ".join(repr(float(x)) for x in v) for v in (end, n))
    how = CLOSINGS[closing].format(k=axis, l=axis % 3 + 1)
    return head + _LOOP.format(r=r, n=n, angle=angle, closing=closing, how=how)


def cases(joints: Sequence[str], closings: Sequence[str]) -> Iterator[tuple[str, str, int, bool]]:
    """All combinations; elements without an axis once."""
    for joint, closing, displaced in itertools.product(joints, closings, (False, True)):
        for axis in (1, 2, 3) if "{k}" in CLOSINGS[closing] else (1,):
            yield joint, closing, axis, displaced


def places(model_text: str, folder: Path, stop: float) -> np.ndarray:
    """The end of the bar, which moves in all joints, at the start and at the stop time."""
    run = _simulated(model_text, folder, stop)
    return np.array([run[f"b.rb({k})"][[0, -1]] for k in (1, 2, 3)])


def _pose(head: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    run = _simulated(head + "  connect i to j, m at j:b\nend\n", folder, 0.0)
    turn = np.array([[run[f"m.Ta({i},{k})"][0] for k in (1, 2, 3)] for i in (1, 2, 3)])
    return turn, np.array([run[f"m.ra({k})"][0] for k in (1, 2, 3)])


def _simulated(model_text: str, folder: Path, stop: float) -> cutset.Result:
    path = folder / "closed.mo"
    path.write_text(model_text, encoding="utf-8")
    return cutset.load(path).simulate(stop, points=2, rtol=1e-8)


def main() -> int:
    """Exit code 1 where a library does not run, or is apart."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.closed_joints", description=__doc__)
    parser.add_argument("--joints", nargs="+", default=list(JOINTS), choices=JOINTS)
    parser.add_argument("--closings", nargs="+", default=list(CLOSINGS), choices=CLOSINGS)
    parser.add_argument("--libraries", nargs="+", default=list(LIBRARIES), help="libraries; the first is the reference")
    parser.add_argument("--stop", type=float, default=0.3, help="stop time of the runs")
    arguments = parser.parse_args()
    count, wrong, worst = 0, 0, 0.0
    for case in cases(arguments.joints, arguments.closings):
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = [
                    places(text(*case, Path(folder), each), Path(folder), arguments.stop)
                    for each in arguments.libraries
                ]
            except (cutset.ModelError, cutset.RunError) as error:
                wrong += 1
                print(f"{case}: {str(error).splitlines()[0]}", flush=True)
                continue
        apart = max(float(np.abs(each - found[0]).max()) for each in found)
        worst = max(worst, apart)
        if apart > 1e-6:
            wrong += 1
            print(f"{case}: {apart:.1e} m apart", flush=True)
    print(
        f"{count} loops in {', '.join(arguments.libraries)}: {wrong} wrong; the others are at most {worst:.1e} m apart"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
