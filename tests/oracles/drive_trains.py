"""``python -m tests.oracles.drive_trains --first 0 --count 300``: random drive trains of inertias, springs, clutches,
freewheels, brakes, bearings and a mass between stops, which start anywhere and are jolted, against time stepping by
impulses (J. J. Moreau: Unilateral contact and dry friction in finite freedom dynamics, 1988), and the laws of the
elements along each run. Prints the trains that differ."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import cutset

STOP = 1.0


@dataclass
class Element:
    """An element whose velocity is `across @ w`. Its impulse on that velocity is within [-most, most]; a freewheel has
    no upper limit. A brake is pressed from the time `since` on."""

    name: str
    kind: str
    across: np.ndarray
    most: float = 0.0
    since: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0
    stops: tuple[float, float] = (0.0, 0.0)


@dataclass
class Train:
    """The text of a drive train, with what the oracle needs; jolts are (time, state, value)."""

    text: str
    masses: np.ndarray
    velocities: tuple[str, ...]
    elements: list[Element] = field(default_factory=list)
    drives: np.ndarray = field(default_factory=lambda: np.zeros(0))
    start: np.ndarray = field(default_factory=lambda: np.zeros(0))
    position: float = 0.0
    jolts: list[tuple[float, str, float]] = field(default_factory=list)


def train_number(number: int) -> Train:
    """Two to five inertias in a chain; the velocities and jolts are now and then tiny, zero or equal to others."""
    rng = np.random.default_rng([37, 112, number])
    n = int(rng.integers(2, 6))
    masses, elements = rng.uniform(0.2, 3, n), list[Element]()
    start = _velocities(rng, n)
    names = [f"J{i}" for i in range(n)]
    with_stop = rng.random() < 0.4
    s0 = float(rng.choice((-0.2, -0.1, 0.0, 0.1, 0.2)))
    if with_stop:
        start[-1] = float(rng.choice((-2.0, 0.0, 2.0, 1e-4)))
    lines, connections, actions = list[str](), list[str](), list[str]()
    for i in range(n):
        if with_stop and i == n - 1:
            given = f"s_min=-0.2, s_max=0.2, s0={s0}, v0={float(start[i])!r}, F_Coulomb=1"
            lines.append(f"  submodel (tra.MassWithStop) m(m={float(masses[i])!r}, {given})")
        else:
            lines.append(f"  submodel (Inertia) {names[i]}(J={float(masses[i])!r}, w0={float(start[i])!r})")
        across = np.eye(n)[i]
        if with_stop and i == n - 1:
            elements.append(Element("m", "stop", across, 1.0, stops=(-0.2, 0.2)))
            lines.append("  submodel (IdealGearR2T) r(ratio=1)")
            connections.append("r:B at m:A")
        elif rng.random() < 0.5:
            elements.append(_housed(rng, f"h{i}", across, lines, actions))
            connections.append(f"h{i}:A at {names[i]}:B")
        drive = f"{rng.uniform(-3, 3):.3f}"
        if i < n - 1:
            lines.append(f"  submodel (ConstTorque) T{i}(tau0={drive})")
            connections.append(f"T{i} at {names[i]}:B")
            elements.append(Element(f"T{i}", "drive", across, float(drive)))
    for i in range(n - 1):
        across = np.eye(n)[i + 1] - np.eye(n)[i]
        element = _between(rng, f"c{i}", across, lines, actions)
        if element is None:
            continue
        elements.append(element)
        right = "r:A" if with_stop and i == n - 2 else f"{names[i + 1]}:A"
        connections += [f"{element.name}:A at {names[i]}:B", f"{element.name}:B at {right}"]
    text = "\n".join(
        (
            "@rotational",
            "@translational as tra",
            "model Train",
            *lines,
            "  connect " + ", ".join(connections),
            *actions,
            "end",
            "",
        )
    )
    drives = sum((e.most * e.across for e in elements if e.kind == "drive"), np.zeros(n))
    velocities = tuple("m.v" if with_stop and i == n - 1 else f"J{i}.w" for i in range(n))
    laws = [e for e in elements if e.kind != "drive"]
    return Train(text, masses, velocities, laws, drives, start, s0)


def _velocities(rng: np.random.Generator, n: int) -> np.ndarray:
    found = rng.choice((-3.0, -1.0, 0.0, 1.0, 2.0), n) * rng.choice((1.0, 1.0, 1e-4, 1e-6), n)
    return np.where(rng.random(n) < 0.3, found[0], found)


def _housed(rng: np.random.Generator, name: str, across: np.ndarray, lines: list[str], actions: list[str]) -> Element:
    most = float(np.round(rng.uniform(0.5, 4), 3))
    if rng.random() < 0.5:
        lines.append(f"  submodel (BearingFriction) {name}(tau_tab=[{most}, {most}])")
        return Element(name, "friction", across, most)
    since = float(rng.choice((0.0, 0.3)))
    lines.append(f"  submodel (Brake) {name}(fn_max={2 * most})")
    actions.append(f"  {name}.engaged = if time < {since} then 0 else 1" if since else f"  {name}.engaged = 1")
    return Element(name, "friction", across, most, since)


def _between(
    rng: np.random.Generator, name: str, across: np.ndarray, lines: list[str], actions: list[str]
) -> Element | None:
    kind = rng.choice(("clutch", "freewheel", "spring", "none"), p=(0.35, 0.35, 0.2, 0.1))
    most = float(np.round(rng.uniform(0.5, 4), 3))
    if kind == "clutch":
        since = float(rng.choice((0.0, 0.4)))
        lines.append(f"  submodel (Clutch) {name}(fn_max={2 * most})")
        actions.append(f"  {name}.engaged = if time < {since} then 0 else 1" if since else f"  {name}.engaged = 1")
        return Element(name, "friction", across, most, since)
    if kind == "freewheel":
        lines.append(f"  submodel (OneWayClutch) {name}(fn_max={2 * most})")
        actions.append(f"  {name}.engaged = 1")
        return Element(name, "freewheel", across, most)
    if kind == "spring":
        stiffness, damping = float(rng.uniform(1, 60)), float(rng.uniform(0.1, 1))
        lines.append(f"  submodel (SpringDamper) {name}(c={stiffness!r}, d={damping!r})")
        return Element(name, "spring", across, stiffness=stiffness, damping=damping)
    return None


def jolted(train: Train, states: tuple[str, ...], number: int) -> Train:
    """The train with jolts of some of the states that are velocities."""
    rng = np.random.default_rng([37, 113, number])
    able = [name for name in states if name.endswith((".w", ".w_rel", ".v"))]
    times = np.sort(np.round(rng.uniform(0.1, 0.8, rng.integers(0, 4)), 3))
    jolts = [(float(t), str(rng.choice(able)), float(_velocities(rng, 1)[0])) for t in times if able]
    actions = "".join(f"  when time > {t} then\n    init({name}) = {value!r}\n  endwhen\n" for t, name, value in jolts)
    text = train.text.replace("\nend\n", "\n" + actions + "end\n")
    return Train(text, train.masses, train.velocities, train.elements, train.drives, train.start, train.position, jolts)


def stepped(train: Train, states: tuple[str, ...], h: float) -> tuple[np.ndarray, float]:
    """The velocities at the end, and the position of the last mass, by time stepping with impulses."""
    w, s = train.start.copy(), train.position
    has_stop = any(e.kind == "stop" for e in train.elements)
    twists = np.array([e.across[-1] * s * has_stop for e in train.elements])
    laws = [e for e in train.elements if e.kind != "spring"]
    jolts = list(train.jolts)
    impulses = np.zeros(len(laws))
    steps = round(STOP / h)
    for k in range(steps):
        t = k * h
        while jolts and jolts[0][0] <= t + 1e-9:
            w = _jolt(train, states, w, *jolts.pop(0)[1:])
        force = train.drives.copy()
        for j, e in enumerate(train.elements):
            if e.kind == "spring":
                rate = e.across @ w
                force -= (e.stiffness * (twists[j] + 0.5 * h * rate) + e.damping * rate) * e.across
        w = _solve(train, laws, w + h * force / train.masses, impulses, h, t, s)
        for j, e in enumerate(train.elements):
            twists[j] += h * (e.across @ w)
        s += h * w[-1]
    return w, s


def _jolt(train: Train, states: tuple[str, ...], w: np.ndarray, name: str, value: float) -> np.ndarray:
    """The other states keep their values."""
    rows = {e.name: e.across for e in train.elements}
    known = {velocity: np.eye(len(w))[i] for i, velocity in enumerate(train.velocities)}
    known |= {f"{element}.w_rel": row for element, row in rows.items()}
    able = [each for each in states if each in known]
    matrix = np.array([known[each] for each in able])
    values = matrix @ w
    values[able.index(name)] = value
    return np.linalg.lstsq(matrix, values, rcond=None)[0]


def _solve(
    train: Train, laws: list[Element], w: np.ndarray, impulses: np.ndarray, h: float, t: float, s: float
) -> np.ndarray:
    """The velocities after the impulses of this step, by Gauss-Seidel with projection, from those of the last step."""
    limits = [_limits(e, h, t, s) for e in laws]
    for j, (low, high) in enumerate(limits):
        impulses[j] = min(max(impulses[j], low), high)
    for j, e in enumerate(laws):
        w = w + impulses[j] * e.across / train.masses
    for _ in range(3000):
        change = 0.0
        for j, e in enumerate(laws):
            effective = 1.0 / (e.across @ (e.across / train.masses))
            wanted = min(max(impulses[j] - effective * (e.across @ w), limits[j][0]), limits[j][1])
            w = w + (wanted - impulses[j]) * e.across / train.masses
            change = max(change, abs(wanted - impulses[j]))
            impulses[j] = wanted
        if change < 1e-13:
            break
    return w


def _limits(e: Element, h: float, t: float, s: float) -> tuple[float, float]:
    if e.kind == "freewheel":
        return -h * e.most, np.inf
    if e.kind == "stop":
        return (-np.inf if s >= e.stops[1] else -h * e.most), (np.inf if s <= e.stops[0] else h * e.most)
    most = h * e.most if t + 1e-12 >= e.since else 0.0
    return -most, most


def faults(train: Train, run: cutset.Result) -> list[str]:
    """Violations of the laws of the elements along the run."""
    found = list[str]()
    quiet = np.ones(len(run.time), bool)
    for e in train.elements:
        if e.kind in ("freewheel", "stop"):
            quiet &= run[f"{e.name}.catching"] < 0.5
    before = np.concatenate(([True], np.diff(run.time) > 3e-6)) & np.concatenate((np.diff(run.time) > 3e-6, [True]))
    steady = quiet & before
    for e in train.elements:
        if e.kind == "spring":
            continue
        speed = run["m.v" if e.kind == "stop" else f"{e.name}.{'w' if e.name[0] == 'h' else 'w_rel'}"]
        force = run[f"{e.name}.{'f' if e.kind == 'stop' else 'tau'}"]
        most = e.most * (1 + 2e-3 * (e.kind == "stop")) + 1e-6
        if e.kind == "freewheel":
            if (speed[steady] < -1e-6).any():
                found.append(f"{e.name} turns against its direction: {speed[steady].min():g}")
            if (force[steady] > most).any():
                found.append(f"{e.name} pulls {force[steady].max():g}")
        elif e.kind == "friction" and (abs(force[steady]) > most).any():
            found.append(f"{e.name} has {abs(force[steady]).max():g} of {e.most:g}")
        if e.kind == "friction":
            pushes = force * speed < -1e-6
            rests = (run[f"{e.name}.mode"] == 2) & steady & (abs(speed) > 1e-6)
            if (pushes & steady).any():
                found.append(f"{e.name} drives")
            if rests.any():
                found.append(f"{e.name} is stuck at {abs(speed[rests]).max():g}")
    if "m.s" in run and ((run["m.s"] > 0.2 + 1e-5) | (run["m.s"] < -0.2 - 1e-5)).any():
        found.append("the mass is beyond its stop")
    return found


def compared(number: int, folder: Path, target: str = "auto") -> list[str]:
    """What is wrong with a train."""
    train = train_number(number)
    file = folder / "train.mo"
    file.write_text(train.text, encoding="utf-8")
    states = tuple(cutset.load(file).states)
    train = jolted(train, states, number)
    file.write_text(train.text, encoding="utf-8")
    run = cutset.load(file).simulate(STOP, target=target)
    found = faults(train, run)
    fine, coarse = (stepped(train, states, h)[0] for h in (5e-4, 1e-3))
    theirs = np.array([run[name][-1] for name in train.velocities])
    allowed = 3 * abs(fine - coarse) + 2e-3 * (1 + abs(fine))
    if (abs(theirs - fine) > allowed).any():
        found.append(f"the velocities are {theirs}, by time stepping {fine} and {coarse}")
    return found


def main() -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    arguments = parser.parse_args()
    wrong, began = 0, time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.first, arguments.first + arguments.count):
            try:
                found = compared(number, Path(folder))
            except (cutset.ModelError, cutset.RunError) as failed:
                found = [str(failed).splitlines()[0]]
            wrong += bool(found)
            if found:
                print(f"{number}: " + "; ".join(found), flush=True)
    print(f"{arguments.count} trains, {wrong} wrong, {time.process_time() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
