"""Values for submodels inside: the outermost counts, evaluated where it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import cutset

MODEL = """
model class Motor
  parameter R = 1, k = 2, n1 = 1, n2 = 0
  terminal u, i
  u = R*i
end
model class Drive
  parameter R = 10
  submodel (Motor) motor(R = 5)
  motor.u = motor.k
end
model class Axis
  parameter R = 20
  submodel (Drive) drive(R = 3, motor.k = 7, motor.R = R/2), spare(2)
end
model class Arm
  parameter R = 40
  submodel (Axis) axis(2)(R = [100, 200], spare.R = 11, spare.motor.n = [0, 1], drive.motor.k = R)
end
model M
  parameter R = 4
  submodel (Arm) a, b(axis.drive.motor.R = 2*R, axis.drive.R = 6, axis.drive.motor.k = 1, axis.spare.R = [8, 9])
end
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("nested") / "model.mo"
    path.write_text(MODEL, encoding="utf-8")
    return cutset.load(path)


def test_the_outermost_value_counts(model):
    run = model.simulate(stop=1)
    values = {
        "a.axis(1).drive.motor.R": 50, "a.axis(2).drive.motor.R": 100, "a.axis(1).drive.motor.k": 40,
        "a.axis(1).drive.R": 3, "a.axis(1).spare(1).R": 11, "a.axis(2).spare(2).motor.R": 5,
        "a.axis(2).spare(2).motor.n1": 0, "a.axis(2).spare(2).motor.n2": 1, "a.axis(1).drive.motor.n1": 1,
        "b.axis(2).drive.motor.R": 8, "b.axis(2).drive.R": 6, "b.axis(2).drive.motor.k": 1,
        "b.axis(1).spare(1).R": 8, "b.axis(1).spare(2).R": 9, "b.axis(1).spare(2).motor.k": 2,
        "b.axis(2).drive.motor.i": 1 / 8,
    }  # fmt: skip
    assert {name: run[name][-1] for name in values} == values


def test_it_follows_the_parameter_of_a_run(model):
    run = model.simulate(stop=1, parameters={"R": 5, "a.R": 3})
    assert (run["b.axis(1).drive.motor.R"][-1], run["a.axis(2).drive.motor.k"][-1]) == (10, 3)


SHEETS = Path(__file__).parents[2] / "language" / "models" / "3-28-values-of-a-class.mo"


def test_the_values_of_a_class_come_before_single_ones():
    run = cutset.load(SHEETS).simulate(stop=1)
    values = {
        "x.a.motor.R": 0.2, "x.a.motor.k": 7, "x.a.motor.twice": 14, "x.a.other.R": 1, "x.b.motor.k": 11,
        "y.a.motor.R": 0.3, "y.a.motor.k": 7, "y.b.motor.R": 5, "y.b.motor.k": 7, "z.a.motor.R": 9, "m.R": 0.2,
        "y.b.motor.i": 0.2, "x.b.motor.twice": 22,
    }  # fmt: skip
    assert {name: run[name][-1] for name in values} == pytest.approx(values)
