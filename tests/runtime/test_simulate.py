"""The loop of a run: settings, names, inputs, events at the ends, what stops it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from interrupted import output_of

from cutset.runtime.errors import FoldedParameter, RunError
from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.solvers import METHODS
from cutset.runtime.targets.toolchain import find_compiler


@pytest.mark.parametrize("settings, part", [
    ({"stop": -1.0}, "before it starts"), ({"rtol": 0.0}, "greater than 0"), ({"atol": -1.0}, "greater than 0"),
    ({"points": 3, "interval": 0.1}, "only one of"), ({"points": 1}, "at least 2"), ({"interval": 0.0}, "interval"),
    ({"stop": float("nan")}, "stop must be a finite number"), ({"method": "dopri"}, "no method 'dopri'"),
])  # fmt: skip
def test_settings_without_sense(settings, part):
    with pytest.raises(RunError) as raised:
        Experiment(**settings)
    assert raised.value.code == "E605" and part in raised.value.message


def test_unknown_method_gets_a_hint():
    with pytest.raises(RunError) as raised:
        Experiment(method="dopri")
    assert raised.value.hint == "did you mean 'dopri5'?" and "cvode-bdf" in raised.value.notes[0]


def test_parameters_and_what_depends_on_them(model):
    run = simulate(model("oscillator"), Experiment(parameters={"spring.k": 9.0}))
    assert run["spring.k"][0] == 9.0 and run["damper.d"][0] == 0.9
    assert run["body.a"][0] == -9.0
    by_alias = simulate(model("oscillator"), Experiment(parameters={"spring.minus_k": -9.0}))
    assert by_alias["spring.k"][0] == 9.0 and by_alias["spring.minus_k"][0] == -9.0
    run = simulate(model("oscillator"), Experiment(parameters={"damper.d": 0.0, "body.m": 1.0}))
    assert run["damper.d"][0] == 0.0 and np.ptp(run["energy"]) < 1e-4
    assert run["body.m"].tolist() == [1.0] * 501


@pytest.mark.parametrize("settings, code, hint", [
    ({"parameters": {"spring.K": 1.0}}, "E602", "did you mean 'spring.k'?"),
    ({"parameters": {"zzz": 1.0}}, "E602", "'cutset inspect FILE --variables' lists the names of a model"),
    ({"parameters": {"body.s": 1.0}}, "E604", None),
    ({"parameters": {"energy": 1.0}}, "E604", None),
    ({"parameters": {"spring.k": float("inf")}}, "E605", None),
    ({"parameters": {"spring.k": "stiff"}}, "E605", None),
    ({"inputs": {"F": 1.0}}, "E602", None),
    ({"inputs": {"spring.k": 1.0}}, "E604", None),
    ({"initial": {"body.S": 1.0}}, "E602", "did you mean 'body.s'?"),
    ({"initial": {"energy": 1.0}}, "E604", "write energy = 1.0 between 'initial' and "
                                           "'endinitial' in the model"),
    ({"initial": {"spring.k": 1.0}}, "E604", "give it with parameters={...}, or --set"),
])  # fmt: skip
def test_names_that_are_wrong(model, settings, code, hint):
    with pytest.raises(RunError) as raised:
        simulate(model("oscillator"), Experiment(**settings))
    assert raised.value.code == code
    assert hint is None or raised.value.hint == hint


def test_folded_parameter_is_told_apart(model):
    with pytest.raises(FoldedParameter) as raised:
        simulate(model("oscillator"), Experiment(parameters={"body.m": 2.0}))
    assert raised.value.names == ("body.m",) and raised.value.code == "E603"


def test_parameter_expression_without_value(model):
    with pytest.raises(RunError) as raised:
        simulate(model("oscillator"), Experiment(parameters={"spring.k": 0.0}))
    assert raised.value.code == "E601"
    assert raised.value.message == "an expression of parameters has no finite value: k*k/k is nan"
    assert raised.value.notes == ("spring.k = 0",) and raised.value.instance == "spring"
    assert str(raised.value).splitlines()[1:6] == [
        "  --> oscillator.mo:2:9",
        "   |",
        " 2 |   f = s*k*k/k",
        "   |         ^^^^^",
        "  = in:   spring",
    ]


def test_start_values(model):
    run = simulate(model("oscillator"), Experiment(stop=1.0, initial={"spring.s": 2.0, "body.v": 1.0}))
    assert run["body.s"][0] == -2.0 and run["body.v"][0] == 1.0
    assert run["energy"][0] == 0.5 * (1.0 + 4.0 * 4.0)


@pytest.mark.parametrize("method", METHODS)
def test_constant_input_and_function(model, method):
    built = model("switched")
    late = {"on": 5.0}
    run = simulate(built, Experiment(stop=2.0, method=method, inputs={"speed": 3.0}, parameters=late))
    assert np.allclose(run["s"], 3.0 * run.time, atol=1e-9) and set(run["speed"]) == {3.0}
    run = simulate(built, Experiment(stop=2.0, method=method, inputs={"speed": np.cos}, parameters=late))
    assert np.allclose(run["s"], np.sin(run.time), atol=1e-4)
    assert np.array_equal(run["speed"], np.cos(run.time))


@pytest.mark.parametrize("method", METHODS)
def test_exception_in_an_input_ends_the_run(model, method):
    raised = []

    def course(t: float) -> float:
        if t > 0.5:
            raised.append(t)
            raise LookupError("no more data")
        return 1.0

    settings = {"inputs": {"speed": course}, "parameters": {"on": 9.0}, "max_step": 0.1}
    run = simulate(model("switched"), Experiment(stop=2.0, method=method, **settings))
    assert run.outcome is Outcome.INPUT_FAILED and run.failure is not None
    error = run.failure.error()
    assert error.code == "E649" and repr(float(raised[0])) in error.message
    assert len(raised) < 10, "it is called again and again"
    assert "the function of the input 'speed' failed: LookupError: no more data" in error.message
    assert 0.3 < run.time[-1] <= 0.5 and np.allclose(run["s"], run.time, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_run_of_no_length(model, method):
    run = simulate(model("oscillator"), Experiment(stop=0.0, method=method))
    assert run.time.tolist() == [0.0] and run["body.s"].tolist() == [1.0] and run.outcome is Outcome.COMPLETED


@pytest.mark.parametrize("method", METHODS)
def test_event_at_the_stop_has_both_rows(model, method):
    run = simulate(model("switched"), Experiment(stop=0.3, points=4, method=method))
    assert run.time.tolist() == [0.0, 0.09999999999999999, 0.19999999999999998, 0.3, 0.3]
    assert run["force"].tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]
    at_both = simulate(model("switched"), Experiment(stop=0.0, method=method, parameters={"on": 0.0, "off": 1.0}))
    # A relation that becomes true just after the start is an event there.
    assert at_both.time.tolist() == [0.0, 0.0] and at_both["force"].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("method", METHODS)
def test_model_without_states(model, method):
    run = simulate(model("algebraic"), Experiment(stop=3.0, points=7, method=method, parameters={"f": 1.0}))
    assert run.time.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    assert np.allclose(2.0 * run["z1"] + run["z2"], np.sin(run.time), atol=1e-14)
    assert np.allclose(run["z1"] + 3.0 * run["z2"], 1.0, atol=1e-14)
    assert run.statistics.steps == 0


def test_start_other_than_zero(model):
    run = simulate(model("switched"), Experiment(start=0.4, stop=1.4, points=3))
    assert run.time.tolist() == [0.4, 0.6, 0.6, 0.8999999999999999, 1.4]
    assert run["force"].tolist() == [1.0, 1.0, 0.0, 0.0, 0.0]


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
def test_ctrl_c_keeps_what_is_there(tmp_path):
    """The interrupt comes while C integrates."""
    program = (
        "from hand_written import load_model\n"
        "from cutset.runtime.runs.experiment import Experiment\n"
        "from cutset.runtime.runs.simulate import simulate\n"
        "model = load_model('pendulum', 'c')\n"
        "presser.start()\n"
        "run = simulate(model, Experiment(stop=1e6, points=10001, method=sys.argv[1], rtol=1e-9), now=now)\n"
        "print(run.outcome.name, 2 < len(run.time) < 10001, run.statistics.steps > 0)\n"
    )
    for method in ("dopri5", "cvode-adams"):
        assert output_of(program, Path(__file__).parent, method) == "INTERRUPTED True True\n"
