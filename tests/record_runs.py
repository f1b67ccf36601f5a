"""Records what runs compute, so that a change of the runtime can be proved to change no number.

    python tests/record_runs.py record FILE [--sample] [--count 200] [--only WORD]
    python tests/record_runs.py compare OLD NEW

Runs are those of the published cases, of models/, of the golden models and of all random generators, by all methods, in
one run, in steps, continued, with functions as inputs, as a sweep. `--sample` takes a few of each, in two minutes. A
record has hashes of times, values, events and work, and the text of a failure. `compare` names the runs that differ,
and in what; exit code 1 if there are any.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "runtime"))

import chattering_models
import crossing_models
import delayed_models
import equal_sides
import pieces
import singular_models
from cases.cases import CASES
from models.test_every_model import SHORT, declared
from oracles import (
    forced_models,
    four_bars,
    given_starts,
    jumping_circuits,
    one_sided,
    random_circuits,
    random_loops,
    random_starts,
    relaxation,
    switching_circuits,
)

import cutset
from cutset.compiler.diagnostics import ModelError
from cutset.runtime.errors import RunError
from cutset.runtime.results.result import Result

ROOT = Path(__file__).parent.parent
Record = dict[str, Any]
METHODS = ("auto", "dopri5", "bs32", "cvode-bdf", "cvode-adams", "ida", "radau", "rk4")
# What takes so long to translate that it is left out of the sample.
_LARGE = ("r3", "paper", "oods", "stewart", "ur5", "spatial", "quadruped", "gripper", "mobile", "excavator", "seven")


def _singular(number: int) -> tuple[str, float]:
    case = singular_models.singular(number)
    return case.text, 2.0 * case.pole


def _forced(number: int) -> tuple[str, float]:
    forced = forced_models.model(np.random.default_rng(number))
    return forced.text(), forced.stop


def _relaxing(number: int) -> tuple[str, float]:
    oscillator = relaxation.random_oscillator(number)
    return oscillator.text, oscillator.stop


# The text of model `number` of each generator, and the end of its run.
GENERATORS: dict[str, Callable[[int], tuple[str, float]]] = {
    "chatter": lambda k: (chattering_models.draw(k).text, chattering_models.draw(k).stop),
    "crossing": lambda k: (crossing_models.draw(k).text, crossing_models.STOP),
    "pieces": lambda k: (pieces.model_of(k)[0], pieces.STOP),
    "delayed": lambda k: (delayed_models.drawn(k, k % 2 == 1).text, delayed_models.STOP),
    "equal": lambda k: (equal_sides.draw(k).text, equal_sides.draw(k).stop),
    "balanced": lambda k: (equal_sides.balanced(k).text, equal_sides.balanced(k).stop),
    "singular": _singular,
    "switching": lambda k: (switching_circuits.switching_circuit(k), 0.01),
    "switching by states": lambda k: (switching_circuits.switching_circuit(10_000 + k), 0.01),
    "stepping": lambda k: (jumping_circuits.stepping_circuit(k).text, 0.5),
    "switched": lambda k: (jumping_circuits.switching_circuit(k).text, 0.5),
    "circuits": lambda k: (random_circuits.random_circuit(k).text, 0.01),
    "one-sided": lambda k: (one_sided.random_case(k).text, 2.0),
    "forced": _forced,
    "relaxing": _relaxing,
    "starts": lambda k: (random_starts.random_start(k, k % 4 == 3).text, 0.1),
    "given starts": lambda k: (given_starts.given_start(k).text, 0.1),
    "four bars": lambda k: (four_bars.random_four_bar(k).text(four_bars.JOINTS), 0.3),
    "loops": lambda k: (random_loops.random_loop(k, 8).text, 0.1),
}


def digest(*arrays: Any) -> str:
    """A hash of the bits of these arrays."""
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


def text_of(error: Exception) -> str:
    """The message, wherever the project is."""
    return str(error).replace(f"{ROOT}/", "")


def of_result(run: Result) -> Record:
    """What a run has computed; a failure with the rows before it."""
    statistics = run.statistics
    names = sorted(run.names())
    return {
        "times": digest(run.time),
        "values": digest(*(run[name] for name in names)),
        "rows": len(run.time),
        "size": repr(float(np.nansum([np.abs(run[name]).sum() for name in names]))),
        "events": dict(sorted(statistics.events.items())),
        "work": [statistics.method, statistics.steps, statistics.evaluations, statistics.error_test_failures],
        "text": "" if run.failure is None else text_of(run.failure.error()),
        "end": [run.outcome.name, "" if run.ending is None else run.ending.text, *run.notes],
    }


def attempted(do: Callable[[], Record]) -> Record:
    """The record, or the text of the error."""
    try:
        return do()
    except (RunError, ModelError) as error:
        failed = getattr(error, "result", None)
        return {"text": text_of(error)} if failed is None else of_result(failed) | {"text": text_of(error)}


def in_steps(model: cutset.Model, stop: float, seed: int) -> Record:
    """The states after steps of random length, one of which is saved and restored."""
    rng, sim, seen = random.Random(seed), model.simulator(), []
    for k in range(12):
        sim.step(rng.choice((rng.uniform(1e-3, 0.15), 0.0625)) * stop)
        if k == 6:
            sim.restore(sim.state)
        seen += [sim.time, *(sim[name] for name in model.states)]
    return {
        "values": digest(seen),
        "events": dict(sorted(sim.events.items())),
        "size": repr(float(np.sum(np.abs(seen)))),
    }


def in_pieces(model: cutset.Model, stop: float) -> Record:
    """A run that is continued twice."""
    first = model.simulate(0.3 * stop, points=5)
    return of_result(first.resume(0.55 * stop).resume(stop))


def swept(model: cutset.Model, stop: float) -> Record:
    """Runs from three start values of the first state."""
    name = model.states[0]
    sweep = model.sweep({name: [0.1, 0.2, 0.3]}, [name, f"max({name})"], stop=stop, workers=1)
    return {"values": digest(*(np.asarray(sweep[each], float) for each in (name, f"max({name})")))}


def steady(model: cutset.Model) -> Record:
    """The point of rest."""
    return of_result(model.steady())


def ways(model: cutset.Model, stop: float, seed: int, all_methods: bool) -> Iterator[tuple[str, Callable[[], Record]]]:
    """The runs of one model; without `all_methods` two of the methods besides auto."""
    run = functools.partial(_run, model, stop)
    chosen = METHODS if all_methods else ("auto", METHODS[1 + seed % 7], METHODS[1 + (seed + 3) % 7])
    for k, method in enumerate(chosen):
        yield method, functools.partial(run, points=(2, 200)[(seed + k) % 2], method=method)
    yield "tight", functools.partial(run, points=11, rtol=1e-9, atol=1e-11)
    if len(model.states) <= 6:  # of larger ones all equations take many seconds
        yield ("bdf", "ggl")[seed % 2], functools.partial(run, points=11, method=("bdf", "ggl")[seed % 2])
    if seed % 3 == 1:
        yield "target python", functools.partial(run, points=11, target="python")
    if model.inputs:
        waves = {name: functools.partial(_wave, 1.0 + k, stop) for k, name in enumerate(model.inputs)}
        yield "inputs", functools.partial(run, points=21, inputs=waves)
    yield "steps", functools.partial(in_steps, model, stop, seed)
    yield "pieces", functools.partial(in_pieces, model, stop)
    if model.states:
        yield "sweep", functools.partial(swept, model, stop)
    if seed % 4 == 0:
        yield "steady", functools.partial(steady, model)


def _run(model: cutset.Model, stop: float, **settings: Any) -> Record:
    if settings.get("method") == "rk4":
        settings["max_step"] = stop / 500.0
    return of_result(model.simulate(stop, **settings))


def _wave(frequency: float, stop: float, t: float) -> float:
    return float(np.sin(6.0 * frequency * t / stop))


def models(sample: bool, count: int) -> Iterator[tuple[str, int, Callable[[], tuple[cutset.Model, float]]]]:
    """The name of each model, a number, and what translates it and tells the end of its run."""
    for k, case in enumerate(CASES):
        if not sample or k % 6 == 0:
            yield f"case {case.name}", k, functools.partial(_case, k)
    for k, (file, name) in enumerate(declared()):
        if not (sample and (k % 2 or any(word in file for word in _LARGE))):
            yield f"{file} {name}", k, functools.partial(_file, ROOT / "models" / file, name, SHORT.get(file, 0.1))
    for path in sorted((ROOT / "tests" / "golden").rglob("*.mo")):
        yield f"golden {path.stem}", 0, functools.partial(_file, path, None, 2.0)
    for name, draw in GENERATORS.items():
        for k in range(3 if sample else count):
            yield f"{name} {k}", k, functools.partial(_drawn, draw, k)


def _case(number: int) -> tuple[cutset.Model, float]:
    case = CASES[number]
    return cutset.load(case.path, case.model).with_values(case.parameters), case.stop


def _file(path: Path, name: str | None, stop: float) -> tuple[cutset.Model, float]:
    return cutset.load(path, name), stop


def _drawn(draw: Callable[[int], tuple[str, float]], number: int) -> tuple[cutset.Model, float]:
    text, stop = draw(number)
    return cutset.loads(text), stop


def record(sample: bool, count: int, only: str) -> dict[str, Record]:
    """The records of all runs, by name."""
    found: dict[str, Record] = {}
    for name, number, translate in models(sample, count):
        if only not in name:
            continue
        try:
            model, stop = translate()
        except ModelError as error:
            found[name] = {"text": text_of(error)}
            continue
        for way, do in ways(model, stop, number, not sample or number == 0):
            found[f"{name}, {way}"] = attempted(do)
    return found


def differences(old: dict[str, Record], new: dict[str, Record]) -> dict[str, list[str]]:
    """The runs that differ, with the fields in which they do."""
    found = {}
    for name in sorted(old.keys() | new.keys()):
        one, other = old.get(name, {}), new.get(name, {})
        fields = sorted(field for field in one.keys() | other.keys() if one.get(field) != other.get(field))
        if fields:
            found[name] = fields
    return found


def compare(old: dict[str, Record], new: dict[str, Record]) -> int:
    """Print what differs; 1 if something does."""
    found = differences(old, new)
    counts = Counter(field for fields in found.values() for field in fields)
    for name, fields in list(found.items())[:40]:
        print(f"{name}: {', '.join(fields)}")
        for field in sorted({"size", "events", "work", "text", "end"} & set(fields)):
            print(f"    {field}: {old.get(name, {}).get(field)!r}\n        -> {new.get(name, {}).get(field)!r}")
    print(f"{len(new)} runs, {len(found)} differ: {dict(counts)}")
    return bool(found)


def main() -> int:
    """Record, or compare two records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording, comparing = verbs.add_parser("record"), verbs.add_parser("compare")
    recording.add_argument("file", type=Path)
    recording.add_argument("--sample", action="store_true", help="a few of each kind")
    recording.add_argument("--count", type=int, default=200, help="models of each generator")
    recording.add_argument("--only", default="", help="models whose names contain this")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    given = parser.parse_args()
    if given.verb == "compare":
        return compare(json.loads(given.old.read_text()), json.loads(given.new.read_text()))
    found = record(given.sample, given.count, given.only)
    given.file.write_text(json.dumps(found, indent=0))
    print(f"{len(found)} runs, {digest(json.dumps(found).encode())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
