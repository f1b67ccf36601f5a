"""Compares Cutset with Pinocchio, CasADi and a plain C loop in one run.

    python benchmarks/r3.py [--markdown FILE] [--quick]

Times are CPU time of the measuring thread (of the child process for the C compiler), the best of repetitions in which
the programs take turns. Every contestant's accelerations are compared with Cutset's before it is timed. Contestants
that are not installed are skipped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from cutset_side import GeneratedCode, compile_seconds, joint_order, translate
from mechanisms import Mechanism, chain, robots
from pinocchio_peer import Missing, PinocchioRobot, symbolic_rate
from sheets import Sheet, report
from sidebyside import per_repetition, times

import cutset
from cutset.compiler.codegen.program import Program
from cutset.compiler.pipeline import emit
from cutset.runtime.targets.build import build
from cutset.runtime.targets.c_model import CModel
from cutset.runtime.targets.toolchain import Compiler

try:
    import casadi_peer
except ImportError:
    casadi_peer = None

if TYPE_CHECKING:
    from casadi_peer import CasadiRate
    from oracles.multibody import Tree

_RTOL, _ATOL, _STOP = 1e-6, 1e-8, 2.0
_POINTS = 64
# For longer chains a C compiler takes more than some minutes for the single function that CasADi prints.
_LONGEST_COMPILED = 300
# The flags for the fastest code of gcc and clang on this machine.
_FASTEST = ("-O3", "-march=native", "-fPIC", "-shared")
# With these a C compiler takes minutes for longer chains.
_LONGEST_FASTEST = 10
# Longer chains are translated once: short disturbances hardly matter.
_LONG = 100
_METHODS = ("auto", "dopri5", "cvode-adams", "cvode-bdf")


@dataclass(frozen=True)
class Bench:
    """How often to repeat, with which compiler; `skipped` collects what could not be measured."""

    compiler: Compiler
    rounds: int
    translations: int
    skipped: dict[str, None]


@dataclass(frozen=True)
class Subject:
    """A mechanism, translated and compiled."""

    mechanism: Mechanism
    program: Program
    stages: Mapping[str, float]
    files: Mapping[str, str]
    model: CModel
    code: GeneratedCode


def subject(mechanism: Mechanism, bench: Bench) -> Subject:
    """The last object of the mechanism's file, measured from text to library."""
    program, stages = translate(mechanism.path, None, bench.translations)
    files = emit(program, "c")
    model = build(files, "c")
    assert isinstance(model, CModel)
    return Subject(mechanism, program, stages, files, model, GeneratedCode(files, model, bench.compiler))


# --- one evaluation -------------------------------------------------------------------------------


def evaluation_seconds(s: Subject, bench: Bench) -> dict[str, float]:
    """Seconds per evaluation of the forward dynamics by contestant, at changing points."""
    tree, n = s.mechanism.tree, len(s.mechanism.tree.joints)
    order = joint_order(s.program.info.states, n)
    rng = np.random.default_rng(1)
    motion = rng.uniform(-3.0, 3.0, (_POINTS, 2 * n))
    torque = rng.uniform(-20.0, 20.0, (_POINTS, n)) if s.mechanism.driven else np.zeros((_POINTS, n))
    rows = np.hstack([motion[:, order], torque])
    own = np.ascontiguousarray(rows if s.mechanism.driven else motion[:, order])
    contestants: dict[str, Callable[[int], object]] = {"cutset": lambda number: s.code.repeat(number, own)}
    s.code.repeat(1, own)
    rates = np.empty(2 * n)
    rates[order] = s.code.dx
    for name, peer in _casadi_peers(tree, order, bench).items():
        peer.repeat(1, rows)
        _agree(name, peer.dx, s.code.dx)
        contestants[name] = lambda number, peer=peer: peer.repeat(number, rows)
    try:
        robot = PinocchioRobot(tree)
        damping = np.array(tree.damping or (0.0,) * n)
        given = np.hstack([motion, torque - damping * motion[:, n:]])
        robot.repeat(1, given)
        _agree("Pinocchio", robot.accelerations, rates[n:])
        contestants["Pinocchio"] = lambda number: robot.repeat(number, given)
    except Missing as reason:
        bench.skipped[str(reason)] = None
    return per_repetition(contestants, bench.rounds)


def _casadi_peers(tree: Tree, order: Sequence[int], bench: Bench) -> dict[str, CasadiRate]:
    """The contestants whose code CasADi prints: the algorithm written by hand with Cutset's flags, and, for short
    chains, the same with the fastest flags and Pinocchio's algorithm on symbols with these."""
    n = len(tree.joints)
    if casadi_peer is None or n > _LONGEST_COMPILED:
        return {}
    hand = casadi_peer.rate_function(tree, order)
    peers = {"CasADi": casadi_peer.CasadiRate(hand, bench.compiler)}
    if n <= _LONGEST_FASTEST:
        fastest = replace(bench.compiler, flags=_FASTEST)
        peers["CasADi, -O3 -march=native"] = casadi_peer.CasadiRate(hand, fastest)
        try:
            symbolic = symbolic_rate(tree, order)
            peers["Pinocchio on CasADi's SX, -O3 -march=native"] = casadi_peer.CasadiRate(symbolic, fastest)
        except Missing as reason:
            bench.skipped[str(reason)] = None
    return peers


def _agree(peer: str, found: np.ndarray, expected: np.ndarray) -> None:
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < 1e-8, f"{peer} computes another mechanism: relative difference {error}"


def evaluation_sheet(subjects: Sequence[Subject], bench: Bench) -> Sheet:
    measured = [evaluation_seconds(s, bench) for s in subjects]
    rows = []
    for name in measured[0]:
        row = [name]
        for seconds in measured:
            row += [f"{seconds[name] * 1e9:.0f} ns", f"{seconds['cutset'] / seconds[name]:.2f}"]
        rows.append(row)
    columns = ["forward dynamics"] + [c for s in subjects for c in (s.mechanism.name, "cutset / this")]
    counts = "; ".join(
        f"{s.mechanism.name}: {s.program.statistics.mul_div} products and divisions, {s.program.statistics.add_sub} "
        "sums"
        for s in subjects
    )
    return Sheet("One evaluation, compiled", columns, rows, f"Operations of Cutset's code: {counts}.")


# --- translation ----------------------------------------------------------------------------------


def translation_sheet(subjects: Sequence[Subject], bench: Bench) -> Sheet:
    rows = [[stage, *(f"{s.stages[stage] * 1e3:.1f} ms" for s in subjects)] for stage in subjects[0].stages]
    rows.append(["all stages", *(f"{sum(s.stages.values()) * 1e3:.0f} ms" for s in subjects)])
    compiled = [compile_seconds(s.files, bench.translations) for s in subjects]
    rows.append(["C compiler, cold", *(f"{seconds * 1e3:.0f} ms" for seconds in compiled)])
    rows.append(["equations", *(str(s.program.statistics.equations) for s in subjects)])
    return Sheet("Translation", ["stage", *(s.mechanism.name for s in subjects)], rows)


# --- whole runs -----------------------------------------------------------------------------------


def run_sheet(arm: Subject, bench: Bench) -> Sheet:
    """2 s of the falling arm by all integrators."""
    model = cutset.load(arm.mechanism.path)
    reference = _final(model.simulate(_STOP, points=2, method="dopri5", rtol=1e-12, atol=1e-12), model)
    loop, loop_evaluations = arm.code.dopri5(_STOP, _RTOL, _ATOL)
    works: dict[str, Callable[[], object]] = {"plain C loop, dopri5": lambda: arm.code.dopri5(_STOP, _RTOL, _ATOL)}
    facts = {"plain C loop, dopri5": ("none", str(loop_evaluations), _error(loop, reference))}
    for method, points in (("dopri5", 2), *((method, 501) for method in _METHODS)):
        name = f"cutset {method}, {points} output times"

        def work(method: str = method, points: int = points) -> cutset.Result:
            return model.simulate(_STOP, points=points, method=method, rtol=_RTOL, atol=_ATOL)

        works[name], result = work, work()
        facts[name] = (str(points), str(result.statistics.evaluations), _error(_final(result, model), reference))
    if casadi_peer:
        _add_casadi_run(arm, bench, works, facts, reference)
    seconds = per_repetition({name: times(work) for name, work in works.items()}, bench.rounds)
    base = seconds["plain C loop, dopri5"]
    rows = [[name, f"{t * 1e3:.2f} ms", f"{t / base:.2f}", *facts[name]] for name, t in seconds.items()]
    columns = ["2 s of R3arm", "CPU time", "/ plain loop", "output times", "evaluations", "largest error at the end"]
    note = f"Tolerance {_RTOL:g} relative, {_ATOL:g} absolute; called from Python, compiled before. "
    note += "The error is the largest of all angles (rad) and speeds (rad/s)."
    return Sheet("A run", columns, rows, note)


def _add_casadi_run(
    arm: Subject,
    bench: Bench,
    works: dict[str, Callable[[], object]],
    facts: dict[str, tuple[str, ...]],
    reference: np.ndarray,
) -> None:
    order = joint_order(arm.program.info.states, len(arm.mechanism.tree.joints))
    rate = casadi_peer.rate_function(arm.mechanism.tree, order)
    run = casadi_peer.integrator(rate, bench.compiler, np.linspace(0.0, _STOP, 501), _RTOL, _ATOL)
    start, name = arm.code.start, "CasADi CVODES (BDF), 501 output times"
    works[name] = lambda: run(start)
    facts[name] = ("501", "", _error(run(start)[:, -1], reference))


def _final(result: cutset.Result, model: cutset.Model) -> np.ndarray:
    return np.array([result[name][-1] for name in model.states])


def _error(found: np.ndarray, reference: np.ndarray) -> str:
    return f"{np.max(np.abs(found - reference)):.1e}"


# --- chains ---------------------------------------------------------------------------------------


def chain_sheet(lengths: Sequence[int], bench: Bench) -> Sheet:
    rows = []
    for links in lengths:
        with chain(links) as mechanism:
            s = subject(mechanism, replace(bench, translations=1) if links >= _LONG else bench)
        seconds = evaluation_seconds(s, bench)
        counts, ours = s.program.statistics, seconds["cutset"]
        row = [str(links), f"{sum(s.stages.values()):.2f} s", f"{compile_seconds(s.files, 1):.2f} s"]
        row += [str(counts.mul_div + counts.add_sub), f"{ours * 1e9:.0f} ns", f"{ours * 1e9 / links:.0f} ns"]
        for peer in ("CasADi", "Pinocchio"):
            known = peer in seconds
            row += [f"{seconds[peer] * 1e9:.0f} ns", f"{ours / seconds[peer]:.2f}"] if known else ["-", "-"]
        rows.append(row)
    columns = ["links", "translation", "C compiler", "operations", "evaluation", "per link",
               "CasADi", "cutset / CasADi", "Pinocchio", "cutset / Pinocchio"]  # fmt: skip
    note = f"CasADi prints one function, which takes a C compiler too long for more than {_LONGEST_COMPILED} links."
    return Sheet("Chains of revolute joints, forward dynamics", columns, rows, note)


# --- main -----------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions, short chains")
    return report(parser, sheets)


def sheets(options: argparse.Namespace, compiler: Compiler) -> tuple[list[Sheet], list[str]]:
    missing = {} if casadi_peer else {"CasADi is not installed: pip install casadi": None}
    bench = Bench(compiler, 5 if options.quick else 41, 1 if options.quick else 3, missing)
    subjects = [subject(mechanism, bench) for mechanism in robots()]
    found = [
        evaluation_sheet(subjects, bench),
        run_sheet(subjects[1], bench),
        translation_sheet(subjects, bench),
        chain_sheet((10,) if options.quick else (10, 30, 100, 300, 1000), bench),
    ]
    return found, [f"skipped: {reason}" for reason in bench.skipped]


if __name__ == "__main__":
    sys.exit(main())
