"""Lists the measured mechanisms: a model for Cutset, and the same as a tree of bodies for the peers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from chain import chain_text
from oracles.manutec_r3 import r3_arm, r3mbs
from oracles.multibody import INERTIAL, Body, Joint, Tree

_MODELS = Path(__file__).parents[1] / "models"
_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True)
class Mechanism:
    """`tree` is a chain: the first joint is attached to the inertial system, each other one to the one before. Torques
    are inputs if it is `driven`; the joints of the model are called r1, r2, ..."""

    name: str
    path: Path
    tree: Tree
    driven: bool


def robots() -> tuple[Mechanism, Mechanism]:
    """The r3 robot of the paper with joint torques, and the falling arm with damped joints."""
    direct = Mechanism("R3direct", _MODELS / "r3mbs.mo", r3mbs(), driven=True)
    return direct, Mechanism("R3arm", _MODELS / "r3_arm.mo", r3_arm(), driven=False)


@contextmanager
def chain(links: int) -> Iterator[Mechanism]:
    """The chain of `chain.py`; its file is removed at the end."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "chain.mo"
        path.write_text(chain_text(links), encoding="utf-8")
        yield Mechanism("Chain", path, _chain_tree(links), driven=False)


def _chain_tree(links: int) -> Tree:
    joints, bodies = [], []
    for k in range(links):
        joints.append(Joint(k - 1 if k else INERTIAL, _AXES[(k + 1) % 3], (0.1, 0.0, 0.3) if k else (0.0, 0.0, 0.0)))
        bodies.append(Body(k, 2.5, (0.05, 0.0, 0.15), (0.02, 0.03, 0.01, 0.0, 0.002, 0.0)))
    return Tree(tuple(joints), tuple(bodies), (0.0, 0.0, -9.81))
