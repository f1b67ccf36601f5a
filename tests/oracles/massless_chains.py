"""Mechanisms with a joint that moves no mass, as texts: each joint alone, at the end of a chain, and beside a branch.

``python -m tests.oracles.massless_chains`` checks all of them with each library, and prints those whose message does
not blame that joint.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product

import cutset

LIBRARIES = ("mbs", "mbssim", "mbsabs", "mbsmat")
JOINTS = {
    "Revolute": "n2=1",
    "Prismatic": "n3=1",
    "Screw": "n3=1, pitch=0.1",
    "Cylindrical": "n3=1",
    "Universal": "na1=1, nb2=1",
    "Planar": "n3=1, nx1=1",
    "Spherical": "",
    "Free": "",
}
# The elements besides i, j and the bar b, and the connections.
SHAPES = {
    "alone": ((), "connect i to j to b"),
    "end": (
        ("submodel (Revolute) r(n2=1)", "submodel (Bar) c(r1=1)", "submodel (Body) m({inertia})"),
        "connect i to r to c to j to b, m at r:b",
    ),
    "branch": (
        (
            "submodel (Revolute) r(n2=1), s(n2=1)",
            "submodel (Bar) c(r1=1)",
            "submodel (Body) m({inertia}), n({inertia})",
        ),
        "connect i to r to c to s, n at s:b, c to j to b, m at r:b",
    ),
}
INERTIA = "m=1, r1=0.5, I11=0.1, I22=0.1, I33=0.1"


def mechanism(library: str, joint: str, shape: str) -> str:
    """The text of a model in which joint j moves only the bar b."""
    more, connections = SHAPES[shape]
    own = f"submodel ({joint}) j({JOINTS[joint]})" if JOINTS[joint] else f"submodel ({joint}) j"
    lines = ["submodel (Inertial) i(ng3=-1)", own, "submodel (Bar) b(r1=1)", *more, connections]
    return "\n  ".join([f"@{library}\nmodel M", *lines]).replace("{inertia}", INERTIA) + "\nend\n"


def blamed(text: str) -> str:
    """The code and the first submodel of the only message; '' if there is none, or more than one."""
    try:
        cutset.loads(text)
    except cutset.ModelError as error:
        (first, *others) = error.diagnostics
        return "" if others else f"{first.code} {first.instance.partition(',')[0]}"
    return ""


def wrong() -> Iterator[tuple[str, str, str, str]]:
    """Library, joint, shape and message of each that does not blame its joint."""
    for case in product(LIBRARIES, JOINTS, SHAPES):
        found = blamed(mechanism(*case))
        if found != "E409 j":
            yield (*case, found)


if __name__ == "__main__":
    failing = list(wrong())
    print(*failing, f"{len(failing)} of {len(LIBRARIES) * len(JOINTS) * len(SHAPES)} are wrong", sep="\n")
    sys.exit(bool(failing))
