"""Models with more equations than unknowns, some of which follow from others; ``python -m tests.reduce.test_repeated
FIRST COUNT`` does many."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from cutset.compiler.diagnostics import ModelError

sys.path.insert(0, str(Path(__file__).parents[1]))

from models_from_text import translate
from oracles.surplus import surplus_model

import cutset


def failure_of(seed: int) -> str:
    """What is wrong with a model that is right and with those made of it that are not; empty where nothing is."""
    drawn = surplus_model(seed)
    try:
        translated = translate(drawn.text)
    except ModelError as error:
        return "refused: " + " ".join(sorted({d.code for d in error.diagnostics}))
    x = np.random.default_rng(seed).uniform(-1, 1, len(drawn.states))
    found = translated.values(dict(zip(drawn.states, x, strict=False)), time=0.7)
    expected = drawn.values(x, 0.7)
    values = [*(found[f"der({name})"] for name in drawn.states), *(found[name] for name in drawn.others)]
    if not np.allclose(values, expected, rtol=1e-9, atol=1e-9):
        return f"the values are {values}, not {expected}"
    if not translated.system.notes:
        return "nothing is said of it"
    for wrong in ("constant", "parameter"):
        try:
            translate(surplus_model(seed, wrong).text)
        except ModelError as error:
            if not any(d.code == "E401" for d in error.diagnostics):
                return f"wrong by a {wrong}, and said is {[d.code for d in error.diagnostics]}"
        else:
            return f"wrong by a {wrong}, and accepted"
    return ""


@pytest.mark.parametrize("seed", range(12))
def test_what_follows_from_others_is_left_out(seed):
    assert failure_of(seed) == ""


BALANCE = """
@electrical
model class Leg
  main cut (Pin) A (V / i)
  submodel (Resistor) R(R=2)
  submodel (Ground) g
  local p (unit="W"), u (unit="V")
  connect A to R to g
  p = R.u*R.i
  u = R.u
  R.i*R.u - p = 0
  V = u
end
model Balance
  submodel (IStep) I(I=3)
  submodel (Ground) g
  submodel (Leg) L(2)
  node n
  connect I:A at n, I:B at g, L(1) at n, L(2) at n
  I.i + L(1).i + L(2).i = 0
end
"""


def test_the_note_names_what_an_equation_follows_from(write_model):
    run = cutset.load(write_model(BALANCE)).simulate(stop=1.0, points=2, target="python")
    np.testing.assert_allclose([abs(run["L(1).i"][-1]), run["L(2).p"][-1]], [1.5, 4.5], rtol=1e-12)
    expected = [
        "'R.i*R.u - p = 0' in L(1), L(2)",
        "'V = u' in L(1), L(2)",
        "'I.i + L(1).i + L(2).i = 0'",
    ]
    assert len(run.notes) == 3
    for note, words in zip(sorted(run.notes, key=lambda note: note.rpartition("mo:")[2]), expected, strict=False):
        assert f"{words} follows from" in note and "; it is redundant and is left out (" in note
        assert (
            "p = R.u*R.i (model.mo:9)" in note or "L(1) at n (model.mo:19)" in note or "u = R.u (model.mo:10)" in note
        )


CHAIN = """
model Chain
  parameter k = 2, R = 3
  local u, w, i
  u = R*i
  w = k*u
  w = k*R*i
  i + u = sin(time)
end
"""


def test_factors_may_be_parameters(write_model):
    model = cutset.load(write_model(CHAIN))
    run = model.simulate(stop=1.0, parameters={"k": 0.0, "R": 1.0}, target="python")
    np.testing.assert_allclose([run["w"][-1], run["u"][-1]], [0.0, np.sin(1.0) / 2], rtol=1e-12)
    assert "'w = k*R*i' follows from u = R*i (model.mo:5); w = k*u" in run.notes[0]


def test_a_source_at_two_outputs_is_an_error_once_they_differ(write_model):
    """Values 0 and 1 are part of the code: with others the model is translated anew."""
    text = "model class S\nmain cut out (y)\nparameter k = 1\ny = k*sin(time)\nend\n"
    text += "model Two\nsubmodel (S) s1, s2\nlocal x\nx = s1.y\nx = s2.y\nend\n"
    model = cutset.load(write_model(text))
    note = model.simulate(stop=1.0, target="python").notes[0]
    assert note.startswith("'x = s2.y' follows from x = s1.y") and "it is redundant and is left out" in note
    with pytest.raises(cutset.ModelError, match="E401"):
        model.simulate(stop=1.0, parameters={"s2.k": 2.0}, target="python")


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    failures = {seed: said for seed in range(first, first + count) if (said := failure_of(seed))}
    for number, said in failures.items():
        print(f"{number}: {said}")
    print(f"{count} models, {len(failures)} wrong")
