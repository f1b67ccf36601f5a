"""Random hybrid models, run at one go, in random pieces, and in random steps. ``python tests/runtime/pieces.py COUNT``
tries many, with ``steps`` behind the number in steps of a simulator, with ``many`` among the rows of simulators."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

import cutset
from cutset.runtime.results.result import Result

# {n} numbers the part, {a} to {c} are random numbers from 0 to 1.
PARTS = {
    "sampled": """
  local I{n} (start=0), n{n} (start=0), x{n} (start={a})
  when sample({b}*0.1, 0.05 + 0.01*{c}) then
    new(n{n}) = n{n} + 1
    new(I{n}) = I{n} + 0.1*(1 - x{n})
  endwhen
  0.3*der(x{n}) = I{n} - x{n}""",
    "hysteresis": """
  local on{n} (start=false), h{n} (start={a})
  new(on{n}) = h{n} < 0.3 or on{n} and h{n} < 0.8
  der(h{n}) = if on{n} then 2 + {b} else -1 - {c}""",
    "ball": """
  local y{n} (start=1 + {a}), v{n} (start={b}), hits{n} (start=0)
  der(y{n}) = v{n}
  der(v{n}) = -9.81
  when y{n} < 0 then
    init(v{n}) = -(0.7 + 0.2*{c})*v{n}
    new(hits{n}) = hits{n} + 1
  endwhen""",
    "delay": """
  local d{n} (start=1 + {a})
  der(d{n}) = -(1 + {b})*delay(d{n}, 0.1 + 0.3*{c})""",
    "delayed steps": """
  local k{n} (start=0), e{n}
  when sample(0, 0.2 + 0.1*{a}) then
    new(k{n}) = 1 - k{n}
  endwhen
  der(e{n}) = delay(k{n}, 0.05 + 0.1*{b}) - {c}*e{n}""",
    "stick": """
  local w{n} (start=0), f{n}, stuck{n} (start=true)
  f{n} = (1 + {a})*sin((3 + {b})*time)
  new(stuck{n}) = if stuck{n} then abs(f{n}) < 0.9 else abs(f{n}) < 0.5 and abs(w{n}) < 0.2*{c}
  der(w{n}) = if stuck{n} then 0 else f{n} - 0.3*w{n}
  when stuck{n} then
    init(w{n}) = 0
  endwhen""",
    "pendulum": """
  local px{n} (start=0.6), py{n} (start=-0.8), vx{n} (start=0), vy{n} (start=0), F{n}
  vx{n} = der(px{n})
  vy{n} = der(py{n})
  der(vx{n}) = -F{n}*px{n}
  der(vy{n}) = -F{n}*py{n} - 5 - 20*{a}
  px{n}^2 + py{n}^2 = 1""",
    "at rest": """
  local r{n}, s{n} (start=0)
  der(r{n}) = {a} + (if time > 0.4 + {b} then 1 else 0) - r{n}^3
  der(s{n}) = r{n}
  initial
    der(r{n}) = 0
  endinitial""",
    "loop": """
  local z{n} (start=1), g{n} (start={a})
  z{n} + {b}*z{n}^3 = 1 + g{n}
  der(g{n}) = sin(z{n}) - g{n}""",
    "ticks": """
  local c{n} (start=0), q{n} (start=0), p{n} (start=0)
  der(c{n}) = 1
  when time > {a} or c{n} > 1 + {b} then
    new(q{n}) = q{n} + 1
  endwhen
  when mod(c{n}, 0.2 + 0.2*{c}) < 0.05 then
    new(p{n}) = p{n} + 1
  endwhen""",
}
STOP = 2.0


def model_of(seed: int) -> tuple[str, list[float], str]:
    """The text, where the pieces end, and the method. Some pieces end where events are."""
    rng = np.random.default_rng(seed)
    names = rng.choice(sorted(PARTS), size=rng.integers(1, 4), replace=False)
    numbers = [{letter: f"{rng.uniform():.4g}" for letter in "abc"} for _ in names]
    text = "".join(
        PARTS[name].format(n=k, **own) for k, (name, own) in enumerate(zip(names, numbers, strict=False), start=1)
    )
    ends = {round(float(t), 2) for t in rng.uniform(0.0, STOP, rng.integers(1, 8))} | set(
        rng.uniform(0.0, STOP, 2).tolist()
    )
    ends |= {float(t) for t in rng.choice(np.arange(1, 40) * 0.05, 2)}
    method = str(rng.choice(["auto", "dopri5", "cvode-bdf"]))
    return f"model Random{text}\nend\n", [*sorted(ends - {0.0, STOP}), STOP], method


def model(seed: int, folder: Path) -> cutset.Model:
    """The random model, translated from a file in the folder."""
    path = folder / f"random{seed}.mo"
    path.write_text(model_of(seed)[0], encoding="utf-8")
    return cutset.load(path)


def in_pieces(first: Result, ends: list[float]) -> Result:
    """The run that goes on from one end to the next."""
    run = first
    for end in ends:
        run = run.resume(end)
    return run


def difference(seed: int, folder: Path, target: str = "auto") -> str:
    """What the pieces of a random model do otherwise than the whole; empty where that is nothing."""
    text, ends, method = model_of(seed)
    translated = model(seed, folder)
    settings = {"points": 2, "method": method, "rtol": 1e-8, "atol": 1e-10, "target": target}
    whole = translated.simulate(STOP, **settings)
    last = in_pieces(translated.simulate(ends[0], **settings), ends[1:])
    info = translated.translated.info
    for name in (*info.discrete, *info.states):
        a, b = float(whole[name][-1]), float(last[name][-1])
        if name.startswith("$") or abs(a - b) <= 2e-5 * max(1.0, abs(a)):
            continue
        return f"{seed}: {name} is {b!r} in pieces that end at {ends}, and {a!r} in one run with {method}\n{text}"
    return ""


def difference_in_steps(seed: int, folder: Path, target: str = "auto") -> str:
    """What steps of random length do otherwise than the run in one; empty where that is nothing."""
    text, _, method = model_of(seed)
    translated, rng = model(seed, folder), np.random.default_rng(seed)
    settings = {"method": method, "rtol": 1e-8, "atol": 1e-10, "target": target}
    whole, sim = translated.simulate(STOP, points=2, **settings), translated.simulator(**settings)
    while sim.time < STOP:
        dt = rng.choice([rng.uniform(1e-3, 0.3), 0.05])
        sim.step(STOP - sim.time if sim.time + dt > STOP - 1e-6 else dt)
    info = translated.translated.info
    for name in (*info.discrete, *info.states):
        a, b = float(whole[name][-1]), sim[name]
        if not name.startswith("$") and not abs(a - b) <= 2e-5 * max(1.0, abs(a)):
            return f"{seed}: {name} is {b!r} in steps, and {a!r} in one run with {method}\n{text}"
    return ""


def difference_among_many(seed: int, folder: Path, target: str = "auto") -> str:
    """What rows of simulators, some of them begun again, do otherwise than one; empty where that is nothing."""
    text, _, method = model_of(seed)
    if "delay(" in text:
        return ""
    translated, rng = model(seed, folder), np.random.default_rng(seed)
    names = [name for name in translated.states if not name.startswith("$")]
    settings = {"method": method, "max_step": 0.02}
    sims, sim = translated.simulators(4, outputs=names, **settings), translated.simulator(**settings)
    while sim.time < STOP:
        dt = float(rng.choice([rng.uniform(1e-3, 0.3), 0.05]))
        sims.reset(np.flatnonzero(rng.random(3) < 0.2))
        sims.step(dt)
        sim.step(dt)
        if sims.time[3] != sim.time or not np.array_equal(sims.y[3], [sim[name] for name in names]):
            return f"{seed}: {names} at {sim.time} are {sims.y[3]} among others\n{text}"
    return ""


def main() -> int:
    """As many seeds as the first argument says, from the second on."""
    ways = {"steps": difference_in_steps, "many": difference_among_many}
    compare = next((way for word, way in ways.items() if word in sys.argv), difference)
    numbers = [int(word) for word in sys.argv[1:] if word not in ways]
    count, first = numbers[0], numbers[1] if len(numbers) > 1 else 0
    with tempfile.TemporaryDirectory() as folder:
        found = [
            text
            for seed in range(first, first + count)
            if (text := compare(seed, Path(folder), "python" if seed % 4 == 3 else "auto"))
        ]
    print(*found, f"{count} models, {len(found)} differ", sep="\n")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
