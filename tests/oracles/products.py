"""``python -m tests.oracles.products``: the products of `mbs`, of its torn form (without the pass `factors`) and of
`mbssim`, for chains, random trees and random mechanisms with loops, and how far their accelerations are from those of
the oracle. Prints the tables of docs/papers.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.random_loops import RandomLoop, random_loop
from oracles.random_trees import ALL, RandomTree, random_tree
from oracles.translated import random_state, relative_error, tree_accelerations

import cutset

# The columns of the tables: the library, and the late passes that are left out.
WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "`mbs`": ("mbs", ()),
    "torn": ("mbs", ("factors",)),
    "`mbssim`": ("mbssim", ()),
}
# The largest difference of accelerations, in parts of the largest and times the condition.
MOST = 1e-12


def chain(links: int, base: str = "", friction: bool = False, driven: Sequence[int] = (), cut: str = "") -> str:
    """Links with offsets in all directions and axes 1, 2, 3 in turn. `base` is a joint before the first one; with
    `friction` at each joint; a motion moves those in `driven`; `cut` closes the chain to a ring."""
    each = range(1, links + 1)
    body = "m=2, r1=0.05, r2=0.1, r3=0.15, I11=0.03, I22=0.03, I33=0.02"
    lines = [f"  submodel (Revolute) {', '.join(f'j{k}(n{k % 3 + 1}=1)' for k in each)}"]
    lines += [f"  submodel (Bar) {', '.join(f'b{k}(r1=0.1, r2=0.2, r3=0.3)' for k in each)}"]
    lines += [f"  submodel (Body) {', '.join(f'm{k}({body})' for k in each)}", "  submodel (Inertial) i(ng3=-1)"]
    path = " to ".join(f"j{k} to b{k}" for k in each)
    connections = [f"m{k} at j{k}:b" for k in each]
    if base:
        lines += [f"  submodel ({base}) free", f"  submodel (Body) m0({body})"]
        path, connections = f"free to {path}", [*connections, "m0 at free:b"]
    if friction:
        lines += [f"  submodel (CoulombFriction) {', '.join(f'c{k}(fc=1)' for k in each)}"]
        connections += [f"c{k} at j{k}:ext" for k in each]
    if driven:
        lines += [f"  submodel (Motion) {', '.join(f's{k}' for k in driven)}"]
        connections += [f"s{k} at j{k}:ext" for k in driven]
        lines += [f"  s{k}.q_ref = sin({k}*time)" for k in driven]
    if cut:
        lines += [f"  submodel ({cut}) close", "  submodel (Bar) base(r1=0.7, r2=0.1)"]
        connections += ["i to base", f"close at (base:b, b{links}:b)"]
    return "\n".join(["@mbssim", "model Chain", *lines, f"  connect i to {path}, {', '.join(connections)}", "end", ""])


CHAINS: dict[str, Callable[[], str]] = {
    **{f"{n} links": lambda n=n: chain(n) for n in (6, 10, 40, 100)},
    "10 links that float, `Free`": lambda: chain(10, "Free"),
    "10 links that float, `FreeCardan`": lambda: chain(10, "FreeCardan"),
    "10 links with friction": lambda: chain(10, friction=True),
    "10 links, 3 of them moved": lambda: chain(10, driven=(2, 5, 9)),
    "ring of 6": lambda: chain(6, cut="CutSpherical"),
    "ring of 10": lambda: chain(10, cut="CutSpherical"),
}


@dataclass(frozen=True)
class Count:
    """The products and sums of an evaluation, and the seconds of processor time that the translation took."""

    products: int
    sums: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.products}, {self.sums}"


def translated(text: str, way: str) -> tuple[cutset.Model, Count]:
    """A model for `mbssim` in one of the ways, and what its translation needs."""
    library, without = WAYS[way]
    start = time.process_time()
    model = cutset.loads(text, instead={} if library == "mbssim" else {"mbssim": library}, without=without)
    statistics = model.translated.statistics
    return model, Count(statistics.mul_div, statistics.add_sub, time.process_time() - start)


def trees(counted: int) -> Iterator[RandomTree]:
    """Trees of up to 20 joints of all kinds; each second one has axes along those of the frames."""
    for seed in range(counted):
        yield random_tree(7000 + seed, 4 + seed % 17, kinds=ALL, depth=0.6, rotors=seed % 3 == 0)


def error_of_tree(model: cutset.Model, tree: RandomTree, seed: int) -> float:
    """The largest error of the accelerations at a random state, over the condition of the mass matrix."""
    q, qd = random_state(tree, np.random.default_rng(seed))
    mass, force = tree.tree.equations(q, qd)
    found = tree_accelerations(model, tree, q, qd, target="python")
    return relative_error(found, np.linalg.solve(mass, force)) / float(np.linalg.cond(mass))


def error_of_loop(model: cutset.Model, loop: RandomLoop) -> float:
    """The same at the start, over the condition of the mass matrix and the conditions."""
    run = model.simulate(0.0, target="python")
    found = np.array([run[f"der({name})"][0] for name in loop.tree.velocities])
    return relative_error(found, loop.accelerations()) / loop.condition


def random_table(what: str, drawn: Iterator[RandomTree] | Iterator[RandomLoop]) -> bool:
    """Prints the sums over random mechanisms; true if all accelerations are right."""
    totals = {way: 0 for way in WAYS}
    seconds, worst, ratio, cheaper, counted, refused = dict.fromkeys(WAYS, 0.0), 0.0, 0.0, 0, 0, 0
    for seed, each in enumerate(drawn):
        counts = {}
        try:
            for way in WAYS:
                model, counts[way] = translated(each.text, way)
                error = error_of_tree(model, each, seed) if isinstance(each, RandomTree) else error_of_loop(model, each)
                worst = max(worst, error)
                if error > MOST:
                    print(f"{what} {seed}, {way}: {error:.1e}", file=sys.stderr)
        except (cutset.ModelError, cutset.RunError) as problem:
            print(f"{what} {seed}, {way}: {str(problem).splitlines()[0]}", file=sys.stderr)
            refused += 1
            continue
        for way, found in counts.items():
            totals[way] += found.products
            seconds[way] += found.seconds
        own, other = counts["`mbs`"].products, counts["`mbssim`"].products
        counted, cheaper, ratio = counted + 1, cheaper + (own <= other), max(ratio, own / other)
    print(f"| {counted} {what} | {' | '.join(map(str, totals.values()))} | {cheaper} | {ratio:.2f} | {worst:.0e} |")
    times = ", ".join(f"{way} {value:.1f} s" for way, value in seconds.items())
    print(f"{what}: {refused} refused; translation: {times}", file=sys.stderr)
    return worst <= MOST


def main() -> int:
    """Exit code 1 if an acceleration is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.products", description=__doc__)
    parser.add_argument("--count", type=int, default=50, help="random trees, and random mechanisms with loops")
    parser.add_argument("--largest", type=int, default=100, help="links of the longest chain")
    arguments = parser.parse_args()
    print(f"| products, sums | {' | '.join(WAYS)} |\n| --- |{' ---: |' * len(WAYS)}")
    for name, text in CHAINS.items():
        if name.split()[0].isdigit() and int(name.split()[0]) > arguments.largest:
            continue
        found = {way: translated(text(), way)[1] for way in WAYS}
        print(f"| {name} | {' | '.join(map(str, found.values()))} |", flush=True)
        times = ", ".join(f"{way} {each.seconds:.1f} s" for way, each in found.items())
        print(f"{name}: {times}", file=sys.stderr)
    head = f"| products | {' | '.join(WAYS)} | `mbs` has fewest | at most | error |"
    print(f"\n{head}\n| --- |{' ---: |' * (len(WAYS) + 3)}")
    right = [random_table("trees", trees(arguments.count))]
    right += [random_table("mechanisms with loops", (random_loop(seed) for seed in range(arguments.count)))]
    return int(not all(right))


if __name__ == "__main__":
    sys.exit(main())
