"""A branch of an if-expression that is not taken does no harm, whatever values it would have."""

from pathlib import Path

import pytest
from models_from_text import translate

from cutset import RunError, load, loads
from cutset.compiler.diagnostics import ModelError

GUARDED = """
model M
  parameter b = 5
  parameter a = if b > 0 then 1/b else 0
  local x, z (start=if b > 0 then 1/b else 1/(b - 1))
  x = if b > 0 then a/b + sqrt(b)*time else time
  der(z) = if b > 0 then 1/b else (if b < -1 then sqrt(-b) else 1)
end
"""


def test_known_at_translation() -> None:
    text = """
    function half((Integer) n) result h
      assert n > 0, "n is positive"
      h := n/2
    end
    model class C
      parameter b = 0, a = if b > 0 then 1/b else 0, s = if b == 0 then 7 elseif b > 9 then 1/(b - 2) else 3/b
      terminal y
      y = a + s
    end
    model M
      submodel (C) c1, c2(b=2)
      local x(3), z, h
      for k = 1..3 do
        x(k) = if k > 1 then x(k - 1) + k else 1
      endfor
      z = if 1 > 2 then sqrt(-1) else (if false then log(0) else 4)
      h = if 0 > 1 then half(0) else 2
    end
    """
    values = translate(text).values()
    assert {"c1.y": 7.0, "c2.y": 2.0, "x(3)": 6.0, "z": 4.0, "h": 2.0}.items() <= values.items()


@pytest.mark.parametrize("value, code", [
    ("if true then 1/0 else 2", "E228"), ("if false then 1 else 1/0", "E228"), ("if time > 1 then 1/0 else 2", "E228"),
    ("if false then nothing else "
     "2", "E211"), ("if false then [1, 2] else 2", "E217"), ("if 1/0 > 1 then 1 else 2", "E228"),
    ("if false then 1/0 + nothing else 2", "E211"),
])  # fmt: skip
def test_mistakes_stay_mistakes(value: str, code: str) -> None:
    with pytest.raises(ModelError) as error:
        translate(f"model M\n  local x\n  x = {value}\nend\n")
    assert [d.code for d in error.value.diagnostics] == [code]


UNTAKEN = """
function root(x, t) result y
  if t > 2 then
    y := sqrt(x)
  else
    y := 1
  endif
end
function rooted(x, n, t) result y
  y := 0
  for i = 1..n do
    if t > 2 then
      y := y + sqrt(x)
    else
      y := y + 1
    endif
  endfor
end
model M
  constant k = -1
  local y, z
  z = -1
  y = {}
end
"""


@pytest.mark.parametrize("value", [
    "if time > 2 then sqrt(k) else 1", "(if time > 2 then [1, 1/(k + 1)] else [1, 0])'*[1, 2]", "root(k, time)",
    "root(-1, time)", "if time > 2 then sqrt(z) else 1", "if time > 2 then 1/(1 + z) else 1",
    "rooted(-1, floor(time/9) + 1, time)",
])  # fmt: skip
def test_numbers_of_a_branch_that_a_run_may_take(value: str) -> None:
    """They have no value, and the run fails where it takes the branch."""
    model = loads(UNTAKEN.format(value))
    assert model.simulate(1.5)["y"].tolist() == [1.0] * 501
    with pytest.raises(RunError, match=r"E623.*(is undefined|division by zero)"):
        model.simulate(3.0)


@pytest.mark.parametrize("target", ["c", "python"])
def test_known_in_a_run(tmp_path: Path, target: str) -> None:
    path = tmp_path / "m.mo"
    path.write_text(GUARDED, encoding="utf-8")
    model = load(path)
    ends = {b: model.simulate(stop=1.0, target=target, parameters={"b": b})["z"][-1] for b in (5.0, 0.0, -4.0)}
    assert ends == pytest.approx({5.0: 0.4, 0.0: 0.0, -4.0: 1.8})


def test_what_is_needed_has_to_be_finite(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(
        "model M\n  parameter b = 5\n  local x\n  x = (if time > 2 then 1 else 2)/b\nend\n", encoding="utf-8"
    )
    with pytest.raises(RunError) as error:
        load(path).simulate(parameters={"b": 0.0})
    assert error.value.code == "E601"
