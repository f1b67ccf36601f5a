"""Plants faults in the libraries, the compiler and the runtime, one at a time, and tells whether `cutset verify` shows
them: a sign, a missing term or factor, a lost start value, a pivot, a skipped event, a wrong coefficient of a method.

    python tests/planted_faults.py [--jobs 2] [--seed 1] [--libraries 16] [--fast] [PART]

Those of the compiler and the runtime are listed here; those of the multibody libraries are drawn. Each is planted in a
copy of the project, which verifies the models of the sample, in a random order, until one is red. Prints the faults
that none shows. PART selects those whose description contains it. With --fast it tells instead whether the tests that
`make fast` runs notice them, those of other stages among them, and how long they take.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import mutate
from faults_of_lines import changed_equation

ROOT = Path(__file__).parent.parent
LIBRARIES = ("mbs", "mbssim", "mbsabs", "mbsmat")
COMMAND = "import sys; from cutset.api.command_line.command import main; sys.exit(main(sys.argv[1:]))"
# The classes of the multibody libraries that the arm contains.
USED = {
    "Inertial", "Interact", "Rigid", "Bar", "Joint", "Revolute", "Body", "Spring", "Line", "MbsAxial", "MbsAngle",
    "Rotor", "Motion",
}  # fmt: skip
# A model must be verified in so many seconds.
PATIENCE = 300

SAMPLE = {
    "circuit": """@electrical
model Circuit "a filter with a diode and a load, fed by a sine"
  submodel (VSine) V(V=5, f=3)
  submodel (Resistor) R(R=50), load(R=200)
  submodel (Diode) d
  submodel (Capacitor) C(C=1e-3, u0=1)
  submodel (Inductor) L(L=0.1)
  submodel (Ground) g
  connect V:A to R to d to C to V:B, C:A to L to load to g, g at V:B
end
""",
    "bridge": """@electrical
model Bridge "resistors and capacitors in loops"
  parameter T (unit="s") = 0.2
  submodel (VStep) V(V=10, t0=T)
  submodel (Resistor) R1(R=10), R2(R=20), R3(R=30), R4(R=40), R5(R=50)
  submodel (Capacitor) C1(C=1e-3), C2(C=2e-3)
  submodel (Ground) g
  connect V:A to R1 to R3 to V:B, R1:A to R2 to R4 to V:B, R1:B to R5 to R2:B,
          C1 at (R1:B, g), C2 at (R2:B, g), g at V:B
end
""",
    "pendulum": """model Pendulum "in Cartesian coordinates, driven"
  parameter L=1, g=9.81, m=2
  local x (start=0.3), y, vx (start=1), vy, F, phi
  vx = der(x)
  vy = der(y)
  m*der(vx) = -F*x + 0.3*cos(2*time)
  m*der(vy) = -F*y - m*g
  x = L*sin(phi)
  y = -L*cos(phi)
end
""",
    "ball": """model Ball "it bounces, is counted and is watched by a sampled filter with a delay"
  parameter e=0.8, g=9.81, T=0.07
  local h (start=1), v (start=0.5), n (start=0), s (start=0), y (start=0), late, falls (start=0), pushed (start=0)
  der(h) = v
  der(v) = -g
  when h < 0 then
    new(n) = n + 1
    init(v) = -e*v
  endwhen
  when v < 0 then
    new(falls) = falls + h
  endwhen
  when time > 0.3 then
    new(pushed) = time
    init(v) = v + 0.1
  endwhen
  when sample(0, T) then
    new(s) = 0.5*s + 0.5*h
  endwhen
  late = delay(y, 0.15)
  der(y) = s - late
end
""",
    "system": """function mean(a, b) result c
  c := (a + b)/2
end
model System "nonlinear and linear equations, branches, a table, a nonlinear start"
  parameter k(3) = [1, 2, 4], w=3
  local x (start=0.4), y, z (start=0.2), a, b, c, q
  der(x) = -k(1)*x + mean(y, z)
  y + y*y*y = exp(-x) + 0.2*sin(w*time)
  der(z) = if x > 0.5 then -k(2)*z elseif z > 0.3 then 1 - z else c
  a + k(2)*b - x = 3
  k(3)*a - b + c = 2*z
  a - b/2 + 3*c = sqrt(1 + x^2)
  q = interp1(x, [0, 0.5, 1], [1, 3, 2]) - atan2(a, b)
end
""",
    "rotors": """@rotational
model Rotors "two inertias with a clutch of stick and slip"
  submodel (Inertia) J1(J=1, w0=2), J2(J=0.5)
  submodel (SpringDamper) s(c=20, d=0.3)
  submodel (Brake) f(fn_max=0.8)
  connect J1 to s to J2 to f
  f.engaged = if time > 0.3 then 1 else 0.5
end
""",
    "heat": """model class Store "heat in a body"
  parameter C=10, T0=293.15
  main cut A (T(start=T0) / Q)
  C*der(T) = Q
end
model class Wall
  parameter G=2
  cut A (Ta / Q), B (Tb / -Q)
  main path P <A - B>
  Q = G*(Ta - Tb)
end
model Heat "two bodies in contact, and a third behind a wall, whose heat is given"
  submodel (Store) a(T0=330), b(C=5), c
  submodel (Wall) w
  local H (start=3300), P
  connect b to a to w to c
  H = c.C*c.T
  P = der(H)
end
""",
    "arm": """@mbssim
model Arm "two joints, a spring, a rotor, prescribed motion"
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1, q0=0.3, qd0=1), j2(n1=1, n3=1, q0=-0.4, qd0=2), j4(n1=1)
  submodel (Bar) b(r1=0.4, r3=0.2)
  submodel (Fixed) tilt(n1=1, n2=0.5, angle=0.4, r1=0.1, r2=0.2)
  submodel (Body) m(m=2, r1=-0.1, r2=0.1, r3=0.3, I11=0.2, I22=0.3, I33=0.25, I21=0.02, I31=-0.03, I32=0.04)
  submodel (Body) m4(m=0.5, r2=0.3, I11=0.02, I22=0.01, I33=0.02)
  submodel (Spring) s(c=30, s0=0.1)
  submodel (Rotor) rotor(J=0.2)
  submodel (Motion) moved
  connect i to j1 to b to j2 to m, s at (i, j2:b), j2:b to tilt to j4 to m4, rotor at j2:ext, moved at j4:ext
  moved.q_ref = 0.3*sin(3*time + 1)
end
""",
    "crank": """@mbssim
model Crank "a closed loop that is driven, two of whose joints move no mass of their own"
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) crank(n2=1), pin(n2=1, q0=-0.37)
  submodel (Prismatic) slider(n1=1, q0=0.64)
  submodel (Bar) arm(r1=0.3), rod(r1=-0.4)
  submodel (Body) m5(m=1, r1=0.1, I22=0.02), m6(m=2)
  submodel (PlanarCutRevolute) closed(n2=1)
  submodel (Motion) driven
  submodel (LoopJoint) no_mass(2)
  connect i to crank to arm, m5 at crank:b, i to slider to pin to rod to closed, m6 at slider:b, closed:b at arm:b
  connect driven at crank:ext, no_mass(1) at crank:ext, no_mass(2) at pin:ext
  driven.q_ref = 0.5 + 0.2*sin(2*time + 1)
end
""",
}


class Fault(NamedTuple):
    """A fault: the file, the text that is replaced, and what replaces it."""

    what: str
    file: str
    old: str
    new: str


LISTED = (
    Fault("sign of the slope of cos", "contract/functions.py",
          'p.neg(p.mul(dx, p.call("sin", x))), "rad -> 1"', 'p.mul(dx, p.call("sin", x)), "rad -> 1"'),
    Fault("missing term of the product rule", "compiler/expressions/differentiate.py",
          "p.add(p.mul(da, b), p.mul(a, db))", "p.mul(da, b)"),
    Fault("sign of through variables", "compiler/flatten/connect.py",
          "entry.value if entry.sign > 0 else entry.value.map(pool.neg)", "entry.value"),
    Fault("sign of aliases", "compiler/flatten/aliases.py",
          "self._record(alias, root if sign > 0 else self._pool.neg(root), origin)",
          "self._record(alias, root, origin)"),
    Fault("sign of a solved unknown", "compiler/sort/solve.py",
          "pool.div(pool.neg(rest), divisor)", "pool.div(rest, divisor)"),
    Fault("sign in a torn linear system", "compiler/sort/linear_system.py",
          "values[k] = pool.div(pool.neg(total), rows[equation][k])", "values[k] = pool.div(total, rows[equation][k])"),
    Fault("missing divisor of a torn system", "compiler/sort/linear_system.py",
          "pool.div(rest, pivot)", "rest"),
    Fault("missing factor of a linear form", "compiler/expressions/linear.py",
          "return _scaled(pool, a, b.rest)", "return a"),
    Fault("start values written in the model lost", "compiler/sort/start_order.py",
          "unknown.strength >= Strength.MODEL", "unknown.strength > Strength.RUN"),
    Fault("start value of a run without its rank", "compiler/flatten/attributes.py",
          "self._start[leaf], self._strength[leaf] = start, Strength.RUN",
          "self._start[leaf], self._strength[leaf] = start, Strength.DEFAULT"),
    Fault("sign in C and Python", "compiler/codegen/formatting.py", '"sub": "-"', '"sub": "+"'),
    Fault("negation in C", "compiler/codegen/emit_c.py", '"neg": "(-{})"', '"neg": "({})"'),
    Fault("branches exchanged in C", "compiler/codegen/emit_c.py", '"if": "({} ? {} : {})"', '"if": "(!{} ? {} : {})"'),
    Fault("weight of dopri5", "runtime/solvers/tableaus.py", "(35 / 384, 0.0, 500", "(36 / 384, 0.0, 500"),
    Fault("error of a step far too small", "runtime/c/steps/runge_kutta.h",
          "return sqrt(sum / (double)s->n);\n}\n\n/* bump", "return 1e-6 * sqrt(sum / (double)s->n);\n}\n\n/* bump"),
    Fault("interpolation within a step", "runtime/c/steps/runge_kutta.h",
          "rest * (left + theta *", "rest * (0.9 * left + theta *"),
    Fault("crossings found late", "runtime/c/point/samples.h",
          "crossed |= value < base;", "crossed |= value < base - 0.05;"),
    Fault("crossings never found", "runtime/c/point/samples.h",
          "crossed |= value < base;", "crossed |= value < base - 1e9;"),
    Fault("no pivots", "runtime/c/model/cutset_support.h",
          "if (fabs(A[i * step + shift + k]) > fabs(A[pivot * step + shift + k])) pivot = i;", "(void)i;"),
    Fault("Newton's method ends early", "runtime/c/model/newton.h",
          "if (damping == 1.0 && cutset_small(s, s->next_step, 1e-12, 1e-14) && !cutset_is_steep(s)) {",
          "if (cutset_small(s, s->next_step, 1e-1, 1e-1)) {"),
    Fault("delays one percent too short", "runtime/c/point/history.h",
          "double at = t - h->delays[k],", "double at = t - 0.99 * h->delays[k],"),
    Fault("samples one tenth late", "runtime/c/events/times.h",
          "next_sample(e, s->t, s->samples[2 * i], s->samples[2 * i + 1])",
          "next_sample(e, s->t, s->samples[2 * i] + 0.01, s->samples[2 * i + 1])"),
    Fault("instants of time one hundredth late", "runtime/c/events/relations.h",
          "if (e->te[2 * i] > t &&", "if ((e->te[2 * i] += 0.01) > t &&"),
    Fault("actions where a condition ends", "runtime/c/events/passes.h",
          "now[k] != 0.0 && s->conditions[k] == 0.0", "now[k] == 0.0 && s->conditions[k] != 0.0"),
    Fault("values of a run ignored", "runtime/targets/binding.py", "            flags[slot.index] = 1.0\n",
          "            p[slot.index] *= 1.0 + 1e-3\n            flags[slot.index] = 1.0\n"),
)  # fmt: skip

# `cutset verify` cannot show these.
OTHERS = (
    Fault("preferences along a chain of derivatives", "compiler/structure/dummy_derivatives.py",
          "total += preference[variable]", "total = preference[variable]"),
    Fault("nominal of an alias counts", "compiler/flatten/attributes.py",
          "self._nominal.setdefault(root, self._nominal[alias])", "self._nominal[root] = self._nominal[alias]"),
    Fault("units of a quotient", "compiler/units/unit.py",
          "self.magnitude - other.magnitude, self.declared or", "self.magnitude - other.magnitude, self.declared and"),
    Fault("samples before the first", "runtime/c/events/times.h",
          "cutset_max(nearbyint((s->t - first) / interval), 0.0)", "nearbyint((s->t - first) / interval)"),
    Fault("sign of w x Iw", "api/verify/balances.py",
          "inertia @ alpha, np.cross(w, inertia @ w)", "inertia @ alpha, np.cross(inertia @ w, w)"),
    Fault("a gap that pulls", "stdlib/translational.mo",
          "noevent(max(fc, min(-fc, d*v_rel)))", "noevent(max(fc, d*v_rel))"),
    Fault("names of cuts are free", "lsp/rename.py",
          "{*members.values, *members.points, *members.classes}", "{*members.values, *members.classes}"),
    Fault("a second header Host", "server/guard.py",
          'headers.getlist("host") not in', 'headers.getlist("host")[:1] not in'),
    Fault("sign of an alias that is set", "export/fmi/instance.h", "    value *= v->sign;\n", ""),
    Fault("crossings at the end of a step", "runtime/c/steps/step_ends.h",
          "times[r->reached] < until || (!r->crossed && times[r->reached] == until)", "times[r->reached] <= until"),
)  # fmt: skip


def drawn(count: int, rng: random.Random) -> Iterator[Fault]:
    """Signs, terms, factors and start values of classes of the multibody libraries that the arm contains."""
    places = []
    for path in sorted((ROOT / "stdlib").rglob("*.mo")):
        if not {path.stem, path.parent.name} & {*LIBRARIES, "multibody"}:
            continue
        inside, text = False, path.read_text(encoding="utf-8")
        for line in text.splitlines():
            head = re.match(r"model class (?:\([^)]*\) )?(\w+)", line)
            inside = head[1] in USED if head else inside
            if inside and text.count(line) == 1:
                places += [(path, line, new) for new in changed_equation(line)]
    for path, line, (what, new) in rng.sample(places, count):
        yield Fault(f"{what} in {path.stem}: {new.strip()[:60]}", str(path.relative_to(ROOT)), line, new)


def verified(folder: Path, model: str) -> str:
    """What `verify` complains of in a model of the sample; empty if nothing."""
    (folder / f"{model}.mo").write_text(SAMPLE[model], encoding="utf-8")
    command = [sys.executable, "-c", COMMAND, "verify", f"{model}.mo", "--points", "1", "--stop", "0.5", "--json"]
    environment = mutate._environment(folder) | {"CC": "tcc" if shutil.which("tcc") else "cc -O0"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE,
            preexec_fn=mutate._limit,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end in {PATIENCE} s"
    if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
        return (done.stderr.strip() or "nothing").splitlines()[0][:170]
    # A formulation that suddenly refuses the model shows the fault too.
    wrong = [row for row in json.loads(done.stdout)["rows"] if not row["passed"] or row["is_refused"]]
    return "; ".join(f"{row['way']}: {_of(row)}" for row in wrong[:1])[:170]


def _of(row: dict[str, Any]) -> str:
    worst = max((row[kind] for kind in ("laws", "at_points", "in_runs") if row[kind]), key=_size, default=None)
    return row["problem"] or (f"{worst['quantity']} {worst['place']}" if worst else "")


def _size(difference: dict[str, Any]) -> float:
    return math.inf if difference["size"] is None else difference["size"]


def shown(whole: Path, fault: Fault, seed: int) -> tuple[str, str] | None:
    """The first model of the sample that is red with the fault, and why."""
    with tempfile.TemporaryDirectory() as name:
        own = Path(name) / "copy"
        shutil.copytree(whole, own, symlinks=True)
        path = own / fault.file
        text = path.read_text(encoding="utf-8")
        if fault.old not in text or fault.old == fault.new:
            raise SystemExit(f"not to be planted: {fault}")
        path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        # Compiled code depends on its text alone; translations are made again.
        shutil.copytree(
            whole.parent / "xdg_cache_home", own.parent / "xdg_cache_home", ignore=shutil.ignore_patterns("*.model")
        )
        models = list(SAMPLE)
        random.Random(seed).shuffle(models)
        for model in ("arm", "crank") if fault.file.startswith("stdlib") else models:
            if words := verified(own, model):
                return model, words
    return None


def noticed(whole: Path, fault: Fault, seed: int) -> tuple[str, str] | None:
    """The test of `make fast` that fails, and how long it took."""
    with tempfile.TemporaryDirectory() as name:
        own, began = Path(name) / "copy", time.monotonic()
        shutil.copytree(whole, own, symlinks=True)
        text = (own / fault.file).read_text(encoding="utf-8")
        line = text[: text.index(fault.old)].count("\n") + 1
        planted = mutate.Fault("", fault.file, line, fault.what, text.replace(fault.old, fault.new))
        failure = mutate.noticed(own, planted, mutate.latest_record(), fast=True)
        return (failure.words[:120], f"{time.monotonic() - began:.0f} s") if failure else None


def main() -> int:
    """Print what shows each fault; 1 if fewer than nine of ten are shown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--libraries", type=int, default=16)
    parser.add_argument("--fast", action="store_true")
    arguments = parser.parse_args()
    faults = [*LISTED, *drawn(arguments.libraries, random.Random(arguments.seed))]
    faults += OTHERS if arguments.fast else ()
    faults = [fault for fault in faults if arguments.part in fault.what]
    began, red = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(arguments.jobs) as pool:
        whole = Path(name) / "whole"
        mutate.copied(whole)
        sample = () if arguments.fast else SAMPLE
        for model, words in zip(sample, pool.map(lambda model: verified(whole, model), sample), strict=True):
            if words:
                raise SystemExit(f"without any fault {model} is red: {words}")
        running = {
            pool.submit(noticed if arguments.fast else shown, whole, fault, arguments.seed): fault for fault in faults
        }
        for done in as_completed(running):
            fault, model = running[done], done.result()
            red += model is not None
            print("shown   " if model else "HIDDEN  ", fault.what, *(f"[{each}]" for each in model or ()), flush=True)
    print(f"{red} of {len(faults)} faults are shown, in {time.monotonic() - began:.0f} s")
    return int(red < 0.9 * len(faults))


if __name__ == "__main__":
    sys.exit(main())
