"""Tests sampled controllers that are written as one function in C: compiled alone, they give the samples of a run."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

COMPILERS = [name for name in ("gcc", "clang", "tcc") if shutil.which(name)]
pytestmark = pytest.mark.skipif(not COMPILERS, reason="needs a C compiler")

FEEDBACK = """model Feedback "two torques from six measured states"
  parameter K(2,6) = [10, 20, 30, 1, 2, 3; 4, 5, 6, 7, 8, 9], T (unit="s") = 5 ms, limit = 12
  input x(6)
  output u(2)
  local v(2) (start=0)
  when sample(0, T) then
    new(v) = -K*x
  endwhen
  for k = 1..2 do
    u(k) = if v(k) > limit then limit else if v(k) < -limit then -limit else v(k)
  endfor
end
"""
# Two rates, a later first sample, a counter, branches, relations between inputs, and the sign of an alias.
RATES = """model Rates
  input x(2)
  output y(4), mean (start=0), low
  local fast (start=0.5), slow (start=0), n (start=0), state (start=1), above
  above = if x(1) > 0.3 then 1 else if x(2) > 0.2 then 0.5 else -1
  when sample(0.01, 10 ms) then
    new(fast) = 0.9*fast + above*x(1)
    new(n) = if n >= 4 then 0 else n + 1
  endwhen
  when sample(0.03, 20 ms) then
    new(slow) = slow + fast/4
    new(state) = if state > 2 then 1 else state + 1
  endwhen
  when sample(0.02, 20 ms) then
    new(mean) = max(min(fast, 0.5), -abs(slow))
  elsewhen sample(0.01, 10 ms) then
    new(mean) = mean/2
  endwhen
  y = [fast, slow, n, state]
  low = -mean
end
"""
SOLVES = """function f(x, n) result y
  y := 1
  for k = 1..3 do
    y := y*x/k + (if x > 0.5 then sin(x) else exp(-x))
  endfor
end

model Solves
  input x(2)
  output y(3)
  local z(3) (start=0), s (start=0), now(3)
  [4, x(1), 1; x(2), 3, 0.2; 0.1, s, 2]*now = [x(1); x(2); f(s, 1)]
  when sample(0, 10 ms) then
    new(s) = interp1(x(1), [-1; 0; 0.4; 1], [0; 0.1; 0.5; 0.2]) + time/10
    new(z) = now
  endwhen
  y = z
end
"""


def signal(k: int, t: float) -> float:
    return math.sin((17 + 5 * k) * t + k) * (0.9 - 0.1 * k)


def samples(model: cutset.Model, folder: Path, number: str, count: int, compiler: str) -> np.ndarray:
    """The outputs of each sample of the compiled function."""
    paths = model.export_controller(folder, number)
    library = folder / f"{compiler}_{number}.so"  # a library that is loaded must not change
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, *(str(p) for p in paths if p.suffix == ".c"), "-o", library, "-lm"], check=True)
    c, name, header = ctypes.CDLL(str(library)), model.name, paths[0].read_text()
    kind, one = {"float": (ctypes.c_float, 1.0), "double": (ctypes.c_double, 1.0)}.get(
        number, (ctypes.c_int32, 2.0 ** int(number.removeprefix("fixed") or 0) if number.startswith("fixed") else 1.0)
    )
    interval, first = (float(header.split(f"#define {name}_{word} ")[1].split()[0]) for word in ("INTERVAL", "FIRST"))
    inputs, outputs = model.inputs, model.translated.info.outputs
    state, given, result = ctypes.create_string_buffer(4096), (kind * len(inputs))(), (kind * len(outputs))()
    getattr(c, f"{name}_start")(state)
    rows = []
    for k in range(count):
        for j in range(len(inputs)):
            x = signal(j, first + k * interval) * one
            given[j] = x if one == 1.0 else round(x)
        getattr(c, f"{name}_sample")(state, given, result)
        rows.append([value / one for value in result])
    return np.array(rows)


def expected(model: cutset.Model, first: float, interval: float, count: int) -> np.ndarray:
    given = {name: lambda t, k=k: signal(k, t) for k, name in enumerate(model.inputs)}
    run = model.simulate(first + count * interval, inputs=given, interval=interval / 2)
    times = first + (np.arange(count) + 0.5) * interval
    return np.array([[run.at(t)[name] for name in model.translated.info.outputs] for t in times])


@pytest.mark.parametrize(("text", "first", "interval"), [(FEEDBACK, 0, 0.005), (RATES, 0.01, 0.01), (SOLVES, 0, 0.01)])
def test_samples_are_those_of_a_run(text: str, first: float, interval: float, tmp_path: Path) -> None:
    model = cutset.loads(text)
    wanted = expected(model, first, interval, 12)
    for compiler in COMPILERS:
        assert samples(model, tmp_path, "double", 12, compiler) == pytest.approx(wanted, abs=1e-14)
        assert samples(model, tmp_path, "float", 12, compiler) == pytest.approx(wanted, abs=2e-6)
    if text is not SOLVES:
        assert samples(model, tmp_path, "fixed16", 12, COMPILERS[0]) == pytest.approx(wanted, abs=2e-4)


def test_passes_of_an_event(tmp_path: Path) -> None:
    """The input of the filter changes at the instant of the sample, so that a second pass stores it."""
    text = """@discrete

    model Observer
      input y(2), u(1)
      output x(2), F (start=0)
      parameter A(2,2) = [1, 0.1; -0.1, 0.9], B(2,1) = [0.005; 0.1]
      submodel (KalmanFilterN) filter(T=0.1, t0=0, nx=2, nu=1, ny=2, A=A, B=B, C=[1, 0; 0, 1],
                                      Q=B*B', R=[4e-3, 0; 0, 1e-3])
      filter.y = y
      filter.u = [F + u(1)]
      x = filter.x
      when sample(0, 0.1) then
        new(F) = -filter.x(1) - 2*filter.x(2)
      endwhen
    end
    """
    model = cutset.loads(text)
    assert samples(model, tmp_path, "double", 20, COMPILERS[0]) == pytest.approx(expected(model, 0, 0.1, 20), abs=1e-14)


def test_truths_and_passes_and_relations(tmp_path: Path) -> None:
    """Truths of all kinds are one number; an event may take many passes; relations stay from sample to sample."""
    text = """model Kept
      parameter on = true
      input u
      output a, y, r
      local z (start=0), b (start=0), c (start=0)
      local (Boolean) same
      same = (u > 0) == on
      a = if same then z else -z
      when sample(0, 0.1) then
        new(z) = z + 1
        new(c) = if u > 0 then 9 else 0
      endwhen
      new(b) = if b < c then b + 1 else if b > c then b - 1 else b
      y = b
      r = 2*z/10 + (if r > 0 then 1 else -1)
    end
    """
    model = cutset.loads(text)
    wanted = expected(model, 0, 0.1, 12)[:, 1]
    for number in ("double", "fixed16"):
        assert samples(model, tmp_path, number, 12, COMPILERS[0])[:, 1] == pytest.approx(wanted, abs=1e-3)
    found = samples(model, tmp_path, "double", 12, COMPILERS[0])
    assert samples(model, tmp_path / "b", "fixed16", 12, COMPILERS[0]) == pytest.approx(found, abs=1e-3)
    assert set(np.abs(found[:, 0] / np.arange(1, 13))) == {1.0}


def test_code_of_twelve_gains_is_small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "feedback.mo"
    file.write_text(FEEDBACK)
    assert main(["export", str(file), "--controller", str(tmp_path / "c"), "--number", "fixed16"]) == 0
    assert "wrote" in capsys.readouterr().out
    assert "INPUT_x_6_ = 5" in (tmp_path / "c" / "Feedback.h").read_text()
    source = tmp_path / "c" / "Feedback.c"
    subprocess.run([COMPILERS[0], "-std=c11", "-Os", "-c", source, "-o", tmp_path / "f.o"], check=True)
    assert (tmp_path / "f.o").stat().st_size < 6000  # with the tables of the linker; the code itself has 0.9 kB


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("local x (start=1)\n  der(x) = -x\n  when sample(0, 1) then new(z) = x endwhen", "the states x"),
        ("z = 2*u", "no sample"),
        ("when sample(0, 1) then new(z) = delay(u, 1) endwhen", "the delays"),
        ("when u > 1 then new(z) = 1 elsewhen sample(0, 1) then new(z) = 0 endwhen", "when a condition becomes true"),
        ("when sample(0, 1) then new(z) = u elsewhen sample(0, 1.5) then new(z) = 0 endwhen", "one clock"),
    ],
)
def test_what_is_no_controller(body: str, message: str, tmp_path: Path) -> None:
    lines = body.replace(" then ", " then\n  ").replace(" elsewhen", "\n  elsewhen").replace(" endwhen", "\n  endwhen")
    model = cutset.loads(f"model M\n  input u\n  output y\n  local z (start=0)\n  {lines}\n  y = z\nend\n")
    with pytest.raises(RunError, match=message):
        model.export_controller(tmp_path)


def test_numbers_that_integers_lack(tmp_path: Path) -> None:
    text = "model M\n  input u\n  output z (start=0)\n  when sample(0, 1) then\n    new(z) = BODY\n  endwhen\nend\n"
    with pytest.raises(RunError, match="acts at the start"):
        start = text.replace("when sample(0, 1)", "when initial() then\n    new(z) = 7\n  elsewhen sample(0, 1)")
        cutset.loads(start.replace("BODY", "u")).export_controller(tmp_path)
    for body, message in (("sin(u)", "the function sin"), ("40000*u", "above 32768"), ("u*time", "time")):
        with pytest.raises(RunError, match=message):
            cutset.loads(text.replace("BODY", body)).export_controller(tmp_path, "fixed16")
    with pytest.raises(RunError, match="no type 'half'"):
        cutset.loads(text.replace("BODY", "u")).export_controller(tmp_path, "half")
