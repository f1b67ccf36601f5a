"""``python -m tests.oracles.bodies_on_contacts --first 0 --count 200``: random bodies that fall on 1 to 4 contacts, in
all multibody libraries: each run ends at its stop, its energy never grows, and the libraries agree as well as one of
them does with itself at a tighter tolerance. Prints the bodies for which that is not so."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import cutset

LIBRARIES = ("mbs", "mbssim", "mbsmat", "mbsabs")
STOP = 1.5
G = 9.81
FINER = {"rtol": 1e-8, "atol": 1e-10}


@dataclass(frozen=True)
class Contact:
    """A contact by its class and parameters."""

    name: str
    kind: str
    values: dict[str, float]


@dataclass(frozen=True)
class FallingBody:
    """The text for mbs of a body with mass, inertia about its axes, and contacts; planar, or free in space."""

    text: str
    mass: float
    inertia: np.ndarray
    contacts: tuple[Contact, ...]
    is_planar: bool

    def energy(self, run: cutset.Result) -> np.ndarray:
        """Of the motion, of gravity, and of the springs of the contacts."""
        if self.is_planar:
            height, turn = run["free.y.q"], self.inertia[1] * run["free.turn.qd"] ** 2
            speed = run["free.x.qd"] ** 2 + run["free.y.qd"] ** 2
        else:
            height, turn = run["free.x(3)"], run["free.w"] ** 2 @ self.inertia
            speed = (run["free.v"] ** 2).sum(axis=1)
        energy = 0.5 * self.mass * speed + 0.5 * turn + self.mass * G * height
        for contact in self.contacts:
            if contact.kind == "PlaneImpact":
                continue
            values, depth = contact.values, np.maximum(run[f"{contact.name}.depth"], 0.0)
            energy = energy + values["c"] * depth**2.5 / 2.5
            if contact.kind == "PlaneStickSlip":
                slides = run[f"{contact.name}.sliding"] > 0.5
                stretch = np.linalg.norm(run[f"{contact.name}.stretch"], axis=1)
                force = np.where(slides, values["mu"] * run[f"{contact.name}.N"], values["ct"] * stretch)
                energy = energy + np.where(depth > 0, 0.5 * force**2 / values["ct"], 0.0)
        return energy

    def motion(self, run: cutset.Result) -> np.ndarray:
        """Where the body is at the end."""
        if self.is_planar:
            return np.array([run[f"free.{name}.q"][-1] for name in ("x", "y", "turn")])
        return np.concatenate([run["free.x"][-1], run["free.v"][-1] * 0.1])


def body_number(number: int) -> FallingBody:
    """A body with contacts at random points of it; one in three has a contact at the floor where it starts."""
    rng = np.random.default_rng([37, 310, number])
    is_planar = bool(rng.random() < 0.7)
    mass, inertia = float(rng.uniform(0.5, 3)), rng.uniform(0.1, 0.2, 3)
    points = rng.uniform(-0.6, 0.6, (int(rng.integers(1, 5)), 3))
    if is_planar:
        points[:, 1] = 0.0
    lines, connections, contacts = list[str](), list[str](), list[Contact]()
    for k, point in enumerate(points):
        contact = _contact(rng, f"c{k}")
        contacts.append(contact)
        given = "".join(f", {name}={value!r}" for name, value in contact.values.items())
        lines.append(f"  submodel (Bar) b{k}(r={np.round(point, 4).tolist()})")
        lines.append(f"  submodel ({contact.kind}) {contact.name}(n3=1{given})")
        connections.append(f"b{k}:a at free:b, {contact.name} at (world, b{k}:b)")
    angle = float(np.round(rng.uniform(-3, 3), 3))
    v = np.round(rng.uniform(-2, 2, 6) * rng.choice((0.0, 1.0), p=(0.2, 0.8)), 3).tolist()
    if is_planar:
        turned = points @ np.array([[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]]).T
        low = float(np.round(turned[:, 2].min(), 12))
        joint = (
            f"(Planar) free(n=[0, -1, 0], nx=[1, 0, 0], q02={_height(rng, -low, contacts)!r}, q03={angle}, "
            f"qd01={v[0]}, qd02={v[1]}, qd03={v[2]})"
        )
    else:
        joint = f"(Free) free(x3={1.2 + float(rng.uniform(0, 0.3)):.4f}, angle1={angle}, v0={v[:3]}, w0={v[3:]})"
    text = (
        "@mbs\n\nmodel FallingBody\n  submodel (Inertial) world(ng=[0, 0, -1])\n"
        f"  submodel {joint}\n  submodel (Body) body(m={mass!r}, I=diagonal({inertia.tolist()}))\n"
        + "\n".join(lines)
        + "\n  connect world to free to body, "
        + ", ".join(connections)
        + "\nend\n"
    )
    return FallingBody(text, mass, inertia, tuple(contacts), is_planar)


def _height(rng: np.random.Generator, touches: float, contacts: list[Contact]) -> float:
    """Above the floor; points without a radius may touch it at the start."""
    above = max(c.values["radius"] for c in contacts) + float(np.round(rng.uniform(0.05, 0.6), 3))
    return touches if rng.random() < 0.3 and not any(c.values["radius"] for c in contacts) else touches + above


def _contact(rng: np.random.Generator, name: str) -> Contact:
    kind = str(rng.choice(("PlaneContact", "PlaneStickSlip", "PlaneImpact")))
    values = {"radius": float(rng.choice((0.0, 0.05))), "mu": float(rng.choice((0.0, 0.3, 0.6, 1.0)))}
    if kind == "PlaneImpact":
        return Contact(name, kind, values | {"restitution": float(rng.choice((0.0, 0.5, 0.8)))})
    values |= {"c": float(rng.choice((1e4, 1e5, 1e6))), "d": float(rng.choice((0.0, 0.2, 0.5)))}
    if kind == "PlaneStickSlip":
        values |= {
            "peak": float(rng.choice((1.0, 1.3))), "ct": float(rng.choice((1e3, 1e4, 1e5))),
            "dt": float(rng.choice((0.0, 10.0, 100.0))),
        }  # fmt: skip
    return Contact(name, kind, values)


def faults(
    body: FallingBody, folder: Path, libraries: tuple[str, ...] = LIBRARIES, target: str = "auto", agree: bool = True
) -> list[str]:
    """What is wrong with the runs of a body."""
    file = folder / "body.mo"
    file.write_text(body.text, encoding="utf-8")
    found, motions = list[str](), dict[str, np.ndarray]()
    for library in libraries:
        model = cutset.load(file, instead=None if library == "mbs" else {"mbs": library})
        try:
            run = model.simulate(STOP, target=target)
            motions[library] = body.motion(run)
            if library == "mbs" and agree:
                motions["mbs at a tighter tolerance"] = body.motion(model.simulate(STOP, rtol=1e-7, atol=1e-9))
        except cutset.RunError as failed:
            found.append(f"{library}: {str(failed).splitlines()[0]}")
            continue
        growth = _growth(body, run)
        if growth > 1e-4 * (abs(body.energy(run)[0]) + 1):
            # It is as accurate as positions at stiff contacts are: then it shrinks with the tolerance.
            finer = _growth(body, model.simulate(STOP, **FINER))
            if finer > 0.1 * growth:
                found.append(f"{library}: the energy grows by {growth:.3g}, at a tighter tolerance {finer:.3g}")
    if agree and "mbs" in motions and "mbs at a tighter tolerance" in motions:
        own = abs(motions["mbs"] - motions["mbs at a tighter tolerance"]).max()
        for library in libraries[1:]:
            apart = abs(motions.get(library, motions["mbs"]) - motions["mbs"]).max()
            if apart > 1e-4 + 30 * own:
                finer = [
                    body.motion(cutset.load(file, instead={"mbs": each}).simulate(STOP, **FINER))
                    for each in ("mbs", library)
                ]
                closer = abs(finer[0] - finer[1]).max()
                if closer > 0.1 * apart:
                    found.append(f"{library}: {apart:.3g} from mbs, at a tighter tolerance {closer:.3g}")
    return found


def _growth(body: FallingBody, run: cutset.Result) -> float:
    """By how much the energy grows, in J, beside the impacts, which hold some."""
    hits = [run[f"{c.name}.hitting"] for c in body.contacts if c.kind == "PlaneImpact"]
    calm = np.all(np.array([*hits, np.zeros(len(run.time))]) < 0.5, axis=0)
    energy = body.energy(run)[calm]
    return float((energy - np.minimum.accumulate(energy)).max())


def main() -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--libraries", nargs="*", default=LIBRARIES)
    arguments = parser.parse_args()
    wrong, began = 0, time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.first, arguments.first + arguments.count):
            found = faults(body_number(number), Path(folder), tuple(arguments.libraries))
            wrong += bool(found)
            if found:
                print(f"{number}: " + "; ".join(found), flush=True)
    print(f"{arguments.count} bodies, {wrong} wrong, {time.process_time() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
