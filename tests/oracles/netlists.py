"""Netlists beside ngspice: operating points, transients with its step refined, and responses over frequency.

Where ngspice is installed, ``python -m tests.oracles.netlists`` compares those of tests/spice/netlists.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "spice" / "netlists"
# k/q of ngspice is 8.617330e-5 V/K: with this difference of temperature, k*T/q is that of the SI.
_K_OVER_Q = 8.617333262145e-5 / (1.38064852e-23 / 1.6021766208e-19)
STEPS = 8000


def _degrees(celsius: float) -> str:
    return f"{(celsius + 273.15) * _K_OVER_Q - 273.15:.9f}"


def of_ngspice(path: Path, nodes: list[str], folder: Path, steps: int = STEPS) -> dict[str, np.ndarray]:
    """What ngspice computes for the commands of the netlist, by "op", "tran", "ac"; the first column of the last two
    are times and frequencies, the others the voltages of the nodes."""
    text = path.read_text()
    found = {m[1].lower(): m[2].split() for m in re.finditer(r"^\.(op|tran|ac|temp)\b(.*)$", text, re.M | re.I)}
    hot = re.search(r"^\.options temp=(\S+)$", text, re.M)
    warm = float(found["temp"][0]) if "temp" in found else float(hot[1]) if hot else 27.0
    kept = re.sub(r"^\.(op|tran|ac|temp|end|options)\b.*$", "*", text, flags=re.M | re.I)
    shown = " ".join(f"v({node})" for node in nodes)
    options = "reltol=1e-6 abstol=1e-12 vntol=1e-8 chgtol=1e-15 itl1=1000 itl4=300"
    options += " method=gear" if "method=gear" in text else ""
    lines = [kept, f".options {options} temp={_degrees(warm)} tnom={_degrees(27)}"]
    lines += [".control", "set numdgt=12", "set wr_singlescale", "set wr_vecnames"]
    if "op" in found:
        lines += ["op", f"wrdata {folder}/op.txt {shown}"]
    if "tran" in found:
        step, stop, *rest = found["tran"]
        uic = " uic" if "uic" in rest else ""
        lines += [f"tran {step} {stop} 0 {_number(stop) / steps!r}{uic}", f"wrdata {folder}/tran.txt {shown}"]
    if "ac" in found:
        lines += [f"ac {' '.join(found['ac'])}", f"wrdata {folder}/ac.txt {shown}"]
    file = folder / "netlist.cir"
    file.write_text("\n".join([*lines, "quit", ".endc", ".end", ""]))
    done = subprocess.run(["ngspice", "-b", str(file)], capture_output=True, text=True, timeout=300, check=False)
    tables = {name: folder / f"{name}.txt" for name in ("op", "tran", "ac") if name in found}
    for name, table in tables.items():
        if not table.exists():
            raise ValueError(f"ngspice gives no {name}: {(done.stdout + done.stderr)[-400:]}")
    curves = {name: np.loadtxt(table, skiprows=1, ndmin=2) for name, table in tables.items()}
    if "tran" in found and not curves["tran"][-1, 0] > 0.999 * _number(found["tran"][1]):
        raise ValueError(f"ngspice stops at {curves['tran'][-1, 0]}: {done.stderr[-300:]}")
    return curves


def _number(text: str) -> float:
    from cutset.compiler.spice.expressions import number_of

    return float(number_of(text) or 0)


def compared(path: Path, folder: Path, steps: int = STEPS) -> dict[str, float]:
    """The largest differences: of the operating point in parts of the largest voltage, of the transient in parts of the
    range of each node (or a hundredth of the largest), of the response in parts of the largest of each node."""
    import cutset
    from cutset.compiler.spice.convert import import_text

    made = import_text(path, path.read_text())
    scope = made.scope
    names = [node for node in scope.nodes if node != "0"]
    seen = {node: scope.voltage([node], scope.circuit.span) for node in names}
    model = cutset.loads(made.text)
    nodes = names
    expected = of_ngspice(path, nodes, folder, steps)
    found: dict[str, float] = {}
    uic = re.search(r"^\.tran.*uic", path.read_text(), re.M | re.I) is not None
    rest = None if uic and "op" not in expected and "ac" not in expected else model.steady()
    if "op" in expected and rest is not None:
        row = expected["op"][0]
        size = np.abs(row[1:]).max()
        found["op"] = max(abs(rest[seen[node]][0] - value) for node, value in zip(nodes, row[1:], strict=True)) / size
    if "tran" in expected:
        run = model.simulate(points=401, rtol=1e-8, atol=1e-9, **({} if uic else {"start_from": rest}))
        found["tran"] = max(_of_curves(run.time, run[seen[n]], expected["tran"], k) for k, n in enumerate(nodes, 1))
    if "ac" in expected and rest is not None:
        table = expected["ac"]
        linear = model.small_signal().steady().linearize([seen[node] for node in nodes])
        response = linear.response(2 * np.pi * table[:, 0])[:, 0, :].T
        given = table[:, 1::2] + 1j * table[:, 2::2]
        found["ac"] = float((np.abs(response - given).max(axis=0) / np.maximum(np.abs(given).max(axis=0), 1e-9)).max())
    return found


def _of_curves(time: np.ndarray, ours: np.ndarray, table: np.ndarray, k: int) -> float:
    """How far ours is from the other curve, in parts of its range; where that jumps, from the values that it has within
    two of its longest steps."""
    other, times = table[:, k], table[:, 0]
    inside = (time > times[0]) & (time < times[-1])
    step, scale = 2 * np.diff(times).max(), max(np.ptp(other), 1e-2 * np.abs(table[:, 1:]).max())
    plain, worst = np.interp(time, times, other), 0.0
    for t, value, at in zip(time[inside], ours[inside], plain[inside], strict=True):
        near = other[np.searchsorted(times, t - step) : np.searchsorted(times, t + step) + 1]
        low, high = min(near.min(), at), max(near.max(), at)
        off = max(low - value, value - high, 0.0) if high - low > 1e-2 * np.ptp(other) else abs(value - at)
        worst = max(worst, float(off / scale))
    return worst


def main() -> int:
    """Exit code 1 where one differs by more than 1e-3 in time, or 1e-6 at rest or over frequency."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.netlists", description=__doc__)
    parser.add_argument("names", nargs="*", help="the netlists (default: all)")
    arguments = parser.parse_args()
    if shutil.which("ngspice") is None:
        print("ngspice is not installed")
        return 1
    wrong = 0
    for path in sorted(FOLDER.glob("*.cir")):
        if arguments.names and path.stem not in arguments.names:
            continue
        try:
            with tempfile.TemporaryDirectory() as folder:
                found = compared(path, Path(folder))
            good = all(value < (1e-3 if name == "tran" else 1e-6) for name, value in found.items())
            text = "  ".join(f"{name} {value:.1e}" for name, value in found.items())
        except Exception as failure:
            good, text = False, f"{type(failure).__name__}: " + " ".join(str(failure).splitlines()[:6])[:400]
        wrong += not good
        print(f"{path.stem:24} {text}{'' if good else '  WRONG'}", flush=True)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
