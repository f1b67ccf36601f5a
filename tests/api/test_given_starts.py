"""The start value that a run gives counts before all others of the same quantity, however it is given. A large run:
``python -m tests.api.test_given_starts FIRST COUNT``."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import cutset
from cutset.export.fmi_binaries import this_machine
from tests.oracles.given_starts import GivenStart, given_start

OTHER = 7.0


def starts(drawn: GivenStart, target: str) -> Iterator[tuple[str, dict[str, float]]]:
    """The ways to give the value, each with the starts of all stores."""
    model, names = cutset.loads(drawn.text), list(drawn.expected)

    def first(run: cutset.Result) -> dict[str, float]:
        return {name: float(run[name][0]) for name in names}

    given = {drawn.parameter: drawn.value}
    yield "parameters", first(model.simulate(0.0, parameters=given, target=target))
    yield "initial", first(model.simulate(0.0, initial={drawn.variable: drawn.value}, target=target))
    yield "load", first(cutset.loads(drawn.text, parameters=given).simulate(0.0, target=target))
    row = model.sweep({drawn.parameter: [OTHER, drawn.value]}, names, 0.0, target=target).rows[1]
    yield "sweep", dict(zip(names, row.values, strict=True))
    simulator = model.simulator(given, target)
    yield "simulator", {name: simulator[name] for name in names}
    if target == "python":
        return
    batch = model.batch(0.0, parameters={drawn.parameter: [OTHER, drawn.value]}, outputs=names)
    yield "batch", {name: float(batch[name][1, 0]) for name in names}


def failures_of(seed: int, target: str = "auto") -> list[str]:
    """The ways that start elsewhere."""
    drawn = given_start(seed)
    expected = {name: pytest.approx(value, rel=1e-9) for name, value in drawn.expected.items()}
    return [f"{how}: {found} in\n{drawn.text}" for how, found in starts(drawn, target) if found != expected]


@pytest.mark.parametrize("seed", range(12))
def test_random_models(seed):
    assert failures_of(seed, "auto" if seed < 2 else "python") == []


BOTH = """
@thermal
model Both
  submodel (HeatCapacitor) A(C=1{}), B(C=1)
  connect A to B
end
"""


def test_two_values_of_a_run_must_agree():
    model = cutset.loads(BOTH.format(""))
    assert model.simulate(0.0, parameters={"A.T0": 300, "B.T0": 300})["A.T"][0] == 300
    with pytest.raises(cutset.RunError, match=r"the start values of 'B\.T' and 'A\.T' agree"):
        model.simulate(0.0, parameters={"A.T0": 300, "B.T0": 400})


def test_a_value_of_a_run_counts_before_one_that_is_written():
    model = cutset.loads(BOTH.format(", T0=300"))
    assert model.simulate(0.0)["B.T"][0] == 300
    assert model.simulate(0.0, parameters={"B.T0": 400})["A.T"][0] == 400


def test_an_fmu_starts_where_its_importer_says(tmp_path):
    fmpy = pytest.importorskip("fmpy")
    path = cutset.loads(WRAPPED).export_fmu(tmp_path / "both.fmu", platforms=[this_machine()])

    def first(**given: float) -> float:
        found = fmpy.simulate_fmu(
            str(path),
            stop_time=0.1,
            output=["A.T"],
            start_values={name.replace("_", "."): v for name, v in given.items()},
        )
        return float(found["A.T"][0])

    assert [first(), first(A_T0=400.0), first(B_T0=400.0), first(W_T0=400.0)] == [293.15, 400.0, 400.0, 400.0]
    assert first(A_T0=400.0, W_T0=400.0) == 400.0
    with pytest.raises(Exception, match="status 3"):
        first(A_T0=400.0, B_T0=300.0)


WRAPPED = """
@thermal
model class Wrapped
  main cut P (T / Q)
  parameter C = 1, T0 = 5
  submodel (HeatCapacitor) inner(C=C, T0=T0)
  connect inner:A at P
end
model Both
  submodel (HeatCapacitor) A(C=1), B(C=1)
  submodel (Wrapped) W(T0=293.15)
  connect A to B to W
end
"""


def _main(first: int, count: int) -> None:
    wrong = 0
    for seed in range(first, first + count):
        try:
            failed = failures_of(seed)
        except Exception as error:  # each is counted
            failed = [f"{type(error).__name__}: {error} in\n{given_start(seed).text}"]
        wrong += bool(failed)
        for each in failed:
            print(seed, given_start(seed).parameter, each)
    print(f"{count} models, {wrong} wrong")


if __name__ == "__main__":
    _main(*map(int, sys.argv[1:]))
