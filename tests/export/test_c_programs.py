"""Exported programs in C: they compile without warnings and compute what `simulate` computes."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from built_programs import COMPILER, FLAGS, TCC, built

import cutset
from cutset.runtime.errors import RunError

ROOT = Path(__file__).resolve().parents[2]
# Without a message a program is compiled in two thirds of the time; a debugger shows where it ends.
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fsanitize-undefined-trap-on-error")
CLANG = shutil.which("clang")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")

BALL = ROOT / "tests/golden/events/bouncing_ball.mo"
MODELS = {
    "bouncing ball": (BALL, 1.2, 0.01),
    "Coulomb friction": (ROOT / "tests/golden/events/coulomb_friction.mo", 2.0, 0.01),
    "counter": (ROOT / "tests/golden/events/counter.mo", 2.0, 0.01),
    "sampled controller": (ROOT / "tests/golden/events/sampled_pi.mo", 2.0, 0.01),
    "thermostat": (ROOT / "tests/golden/events/thermostat.mo", 2.0, 0.01),
    "relations of time": (ROOT / "benchmarks/models/pulses.mo", 0.02, 0.001),
    "stiff rectifier": (ROOT / "tests/cases/models/rectifier.mo", 0.05, 0.001),
    "closed loop": (ROOT / "models/four_bar.mo", 0.5, 0.01),
}


@cache
def sanitizing() -> str:
    """The compiler for sanitizers: clang takes half of gcc's time, if it has their library."""
    if CLANG is None:
        return str(COMPILER)
    with tempfile.TemporaryDirectory() as folder:
        main = Path(folder, "main.c")
        main.write_text("int main(void) { return 0; }\n")
        done = subprocess.run([CLANG, *SANITIZERS, main, "-o", main.with_suffix("")], capture_output=True, check=False)
    return CLANG if done.returncode == 0 else str(COMPILER)


def sanitized(folder: Path, *more: str) -> Path:
    """The program of all files in the folder, which ends at undefined behavior."""
    command = [sanitizing(), *FLAGS, *SANITIZERS, *more, *map(str, folder.glob("*.c")), "-lm"]
    subprocess.run([*command, "-o", str(folder / "program")], check=True, cwd=folder)
    return folder / "program"


def rows(program: Path, *arguments: object) -> dict[str, np.ndarray]:
    """The columns that the program prints."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names, *lines = csv.reader(io.StringIO(done.stdout))
    return dict(zip(names, np.array(lines, dtype=float).T, strict=True))


def at_times(run: cutset.Result, name: str, times: np.ndarray) -> np.ndarray:
    """The last row of a variable at each time."""
    found = np.searchsorted(run["time"], times + 1e-12, side="right") - 1
    assert np.allclose(run["time"][found], times, rtol=0, atol=1e-12)
    return np.asarray(run[name])[found]


@pytest.mark.parametrize("name", MODELS)
def test_program_computes_what_simulate_computes(name: str, tmp_path: Path) -> None:
    path, stop, interval = MODELS[name]
    model = cutset.load(path)
    model.export_c(tmp_path)
    found = rows(built(tmp_path), stop, interval)
    run = model.simulate(stop, interval=interval)
    assert len(found["time"]) == round(stop / interval) + 1
    for column, values in found.items():
        if column == "time" or column not in run:
            continue
        wanted = at_times(run, column, found["time"])
        distance = np.abs(values - wanted)
        assert distance.max() <= 2e-3 * max(np.ptp(wanted), 1e-6 * abs(wanted).max(), 1e-6), column


# From its start each of them goes round, and has one other consistent choice: a and b. `on` affects all of them.
GROUPS = """
model class Around
  input on
  output a, b, c
  local xa, xb, xc
  a = if xa > 0.5 then 1 else 0
  b = if xb > 0.5 then 1 else 0
  c = if xc > 0.5 then 1 else 0
  xa = on*(a*b*(1 - c) + (1 - b)*(1 - c))
  xb = on*b
  xc = on*(a*(1 - b) + (1 - a)*b + a*b*c)
end
model Groups
  submodel (Around) g1, g2, g3, g4
  parameter one (unit="s") = 1
  local on, y, z (start=0)
  on = if time > 0.5*one then 1 else 0
  g1.on = on
  g2.on = on
  g3.on = on
  g4.on = on
  y = g1.a + 10*g2.b + 100*g3.c + 1000*g4.a
  one*der(z) = y - z
end
"""


def test_relations_are_sought_group_by_group(tmp_path: Path) -> None:
    """All changes of two relations together do not help: eight must change."""
    model = cutset.loads(GROUPS, "Groups")
    model.export_c(tmp_path)
    found = rows(built(tmp_path), 1.0, 0.25)
    assert found["y"].tolist() == [0.0, 0.0, 1011.0, 1011.0, 1011.0]
    assert found["z"][-1] == pytest.approx(1011.0 * (1.0 - np.exp(-0.5)), rel=1e-5)
    assert model.simulate(1.0)["y"][-1] == 1011.0


def together(*paths: Path) -> cutset.Model:
    """One model of those in the files: m1, m2, ... Most of the time goes to what all programs share."""
    names, texts = zip(*(_as_class(path.read_text()) for path in paths), strict=True)
    parts = (f"  submodel ({name}) m{k}" for k, name in enumerate(names, 1))
    return cutset.loads("\n".join([*texts, "model Together", *parts, "end"]), "Together")


def _as_class(text: str) -> tuple[str, str]:
    """The name of the only model of a text, and the text with a class of that name instead."""
    before, _, after = f"\n{text}".partition("\nmodel ")
    return after.split(maxsplit=1)[0], f"{before}\nmodel class {after}"


def test_fixed_steps_are_those_of_simulate_under_sanitizers(tmp_path: Path) -> None:
    """Events, states that are chosen in the run, and delayed values, while there is room for them; then the program
    says what to change."""
    model = together(BALL, MODELS["closed loop"][0], ROOT / "benchmarks/models/delayed_control.mo")
    model.export_c(tmp_path)
    program = sanitized(tmp_path, "-DCUTSET_STRETCHES=2000")
    found = rows(program, 1.0, 0.01, 0.001)
    run = model.simulate(1.0, interval=0.01, method="rk4", max_step=0.001)
    seen = [f"m3.{name}" for name in ("temperature", "arrived", "lag", "echo", "on", "pulse")]
    for name in {*seen, *(state for state in model.states if state in found)}:
        wanted = at_times(run, name, found["time"])
        assert np.abs(found[name] - wanted).max() <= 1e-12 * max(1.0, np.abs(wanted).max()), name
    done = subprocess.run([program, "1", "0.01", "0.0001"], capture_output=True, text=True)
    assert done.returncode == 1 and "CUTSET_STRETCHES" in done.stderr
    assert 10 < len(done.stdout.splitlines()) < 40


def test_parameters_of_a_program_can_be_set(tmp_path: Path) -> None:
    model = cutset.load(BALL)
    model.export_c(tmp_path)
    found = rows(built(tmp_path), 1.0, 0.01, "e=0.5", "h=2")
    run = model.simulate(1.0, interval=0.01, parameters={"e": 0.5}, initial={"h": 2.0})
    assert np.abs(found["h"] - at_times(run, "h", found["time"])).max() <= 1e-9


@pytest.mark.parametrize("compiler", ["gcc", "clang", "tcc"])
def test_compilers_agree(compiler: str, tmp_path: Path) -> None:
    """many_programs.py does this for many models."""
    if shutil.which(compiler) is None:
        pytest.skip(f"needs {compiler}")
    model = cutset.load(BALL)
    model.export_c(tmp_path)
    fused = [] if compiler == "tcc" else ["-ffp-contract=off"]
    command = [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", *fused, *map(str, tmp_path.glob("*.c")), "-lm"]
    subprocess.run([*command, "-o", str(tmp_path / "program")], check=True)
    found = rows(tmp_path / "program", 1.0, 0.01, 0.001)
    run = model.simulate(1.0, interval=0.01, method="rk4", max_step=0.001)
    assert np.abs(found["h"] - at_times(run, "h", found["time"])).max() <= 1e-12


def test_two_models_are_parts_of_one_program(tmp_path: Path) -> None:
    parts = {"a": BALL, "b": MODELS["thermostat"][0]}
    names, objects, fast = [], [], [TCC] if TCC else [str(COMPILER), *FLAGS]
    for part, path in parts.items():
        model, folder = cutset.load(path), tmp_path / part
        model.export_c(folder)
        names.append(model.name)
        (folder / "part.c").write_text(
            f'#include "{model.name}.h"\nstatic struct cutset_program p;\ndouble {part}(void)\n'
            f"{{ {model.name}_defaults(&p); {model.name}_begin(&p, 0.0); {model.name}_continue(&p, 0.3);"
            f" return {model.name}_get(&p, 0) + p.events.now.t; }}\n"
        )
        for source in (f"{model.name}.c", f"{model.name}_tables.c", "program.c", "part.c"):
            objects.append(folder / f"{source}.o")
            subprocess.run([*fast, "-c", source, "-o", str(objects[-1])], check=True, cwd=folder)
    main = tmp_path / "main.c"
    main.write_text("double a(void), b(void);\nint main(void) { return a() > 0.2 && b() > 0.2 ? 0 : 1; }\n")
    program = tmp_path / "both"
    subprocess.run([*fast, str(main), *map(str, objects), "-lm", "-o", str(program)], check=True)
    assert subprocess.run([program]).returncode == 0


@pytest.mark.parametrize(
    ("more", "most"),
    [
        ("", 5.0),  # a new start would need a Jacobian and short steps after each output
        ("local n (start=0)\n  when sample(0.05, 0.1) then\n    new(n) = n + 1\n  endwhen\n", 1.5),
    ],
)
def test_stiff_integration_goes_on_after_outputs(more: str, most: float, tmp_path: Path) -> None:
    """An output is no event, after which a method for models that are not stiff would be tried again."""
    path = tmp_path / "stiff.mo"
    equations = "  der(x) = -1e4*(x - cos(time)^2*y)\n  der(y) = -x*y\n"
    path.write_text(f"model Stiff\n  local x (start=1), y (start=1)\n  {more}{equations}end\n")
    model = cutset.load(path)
    model.export_c(tmp_path / "c")
    (tmp_path / "c/main.c").write_text(
        '#include "Stiff.h"\n#include <stdio.h>\nstatic struct cutset_program p;\n'
        "int main(void)\n{\n    long count, k;\n    for (count = 1; count <= 100; count *= 100) {\n"
        "        Stiff_defaults(&p);\n        Stiff_begin(&p, 0.0);\n"
        "        for (k = 1; k <= count; k++) Stiff_continue(&p, 2.0 * (double)k / (double)count);\n"
        '        printf("%ld %.17g\\n", p.events.tally.evaluations, p.events.now.x[0]);\n    }\n    return 0;\n}\n'
    )
    printed = subprocess.run([built(tmp_path / "c")], capture_output=True, text=True, check=True).stdout.splitlines()
    (once, x_once), (often, x_often) = (map(float, line.split()) for line in printed)
    wanted = model.simulate(2.0, rtol=1e-10)[model.states[0]][-1]
    assert abs(x_once - wanted) < 1e-6 and abs(x_often - wanted) < 1e-6
    assert often < most * once


def test_violated_assertion_ends_a_program_with_its_text(tmp_path: Path) -> None:
    path = tmp_path / "tank.mo"
    path.write_text('model Tank\n  local h (start=1)\n  der(h) = -1\n  assert h > 0.25, "the tank is empty"\nend\n')
    cutset.load(path).export_c(tmp_path / "c")
    done = subprocess.run([built(tmp_path / "c"), "2", "0.1"], capture_output=True, text=True)
    assert done.returncode == 1 and "the tank is empty" in done.stderr
    assert len(done.stdout.splitlines()) == 1 + 8


def test_models_that_need_python_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "shaft.mo"
    (tmp_path / "load.py").write_text("def torque(w):\n    return -w\n")
    path.write_text(
        'external function torque(w) result M "python:load.torque"\n'
        "model Shaft\n  local w (start=1)\n  der(w) = torque(w)\nend\n"
    )
    with pytest.raises(RunError) as raised:
        cutset.load(path, allow_external=True).export_c(tmp_path / "c")
    assert raised.value.code == "E655" and "torque" in raised.value.message
    assert not (tmp_path / "c").exists()


def test_comments_and_strings_of_a_header_hold_any_text(tmp_path: Path) -> None:
    path = tmp_path / "odd.mo"
    path.write_text('model Odd\n  parameter a=1 "end */ of \\ ?? comment"\n  local x (start=1)\n  der(x) = -a*x\nend\n')
    cutset.load(path).export_c(tmp_path / "c")
    found = rows(built(tmp_path / "c"), 1.0, 0.5)
    assert abs(found["x"][-1] - np.exp(-1.0)) < 1e-5


def test_program_on_the_page_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs/use/exported.md").read_text()
    text, code = (page.split(start, 1)[1].split("```")[0] for start in ("```cutset ball.mo\n", "```c\n"))
    (tmp_path / "ball.mo").write_text(text)
    model = cutset.load(tmp_path / "ball.mo")
    files = model.export_c(tmp_path / "c")
    assert f"wrote {len(files)} files" in page
    (tmp_path / "c/main.c").write_text(code)
    printed = subprocess.run([built(tmp_path / "c")], capture_output=True, check=True).stdout
    time, height = map(float, printed.split())
    run = model.simulate(1.0, parameters={"e": 0.5})
    assert time == 1.0 and abs(height - run["h"][-1]) < 1e-8
