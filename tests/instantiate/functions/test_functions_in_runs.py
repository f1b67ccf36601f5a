"""Functions in a run: values that only a run knows, ends with a reason, and functions in Python."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest

from cutset import RunError, load
from cutset.compiler.diagnostics import ModelError


@pytest.mark.parametrize("target", ["c", "python"])
def test_an_index_out_of_range_counts_only_where_it_is_read(target: str, write_model) -> None:
    text = """
    function element(x(:), k) result y
      y := if k <= size(x, 1) then x(k) else -1
    end
    function upto(x(:), most) result n
      n := 0
      while n < size(x, 1) and x(n + 1) < most do
        n := n + 1
      endwhile
    end
    model M
      local a, n, s
      der(s) = 1
      a = element([5, 6, 7], floor(1 + s))
      n = upto([0.5, 1.5, 2.5], s)
    end
    """
    run = load(write_model(textwrap.dedent(text))).simulate(4.0, points=9, target=target)
    at = [run.time.tolist().index(t) for t in (0.0, 1.5, 2.5, 4.0)]
    assert run["a"][at].tolist() == [5, 6, 7, -1]
    assert run["n"][-1] == 3


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_run_ends_with_the_function_and_the_time(target: str, write_model) -> None:
    text = """
    function never(x) result y
      y := x
      while y < 10 do
        y := y - 1
      endwhile
    end
    model M
      local s (start=12)
      der(s) = -1 - never(s)/1e9
    end
    """
    with pytest.raises(RunError) as caught:
        load(write_model(textwrap.dedent(text))).simulate(3.0, target=target)
    assert caught.value.code == "E623" and "'never'" in caught.value.message and "time 1.99" in caught.value.message


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_parameter_without_a_value(target: str, write_model) -> None:
    text = """
    function checked(x) result y
      assert x > 0, "x is positive"
      y := x
    end
    model M
      parameter p = 1, q = checked(p)
      local s
      der(s) = q
    end
    """
    loaded = load(write_model(textwrap.dedent(text)))
    assert loaded.simulate(1.0, target=target)["s"][-1] == pytest.approx(1.0)
    with pytest.raises(RunError, match="x is positive") as caught:
        loaded.simulate(1.0, parameters={"p": -1.0}, target=target)
    assert caught.value.code == "E623"


# --- functions in Python ---------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["c", "python"])
def test_functions_in_python(target: str, write_model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / f"helpers_{target}.py").write_text(
        "import numpy as np\n"
        "def swap(x, k):\n    return x[::-1]*k\n"
        "def picky(x):\n    if x > 1.5:\n        raise LookupError('no data')\n    return x\n"
        "def slope(x, dx):\n    return 5*dx\n"
    )
    text = f"""
    external function swap(x(2), k) result y(2) "python:helpers_{target}.swap"
    external function picky(x) result y (derivative=slope) "python:helpers_{target}.picky"
    external function slope(x, dx) result dy "python:helpers_{target}.slope"
    model M
      parameter p = 2, q = slope(p, 1)
      local y(2), s, d, o
      der(s) = 1
      y = swap([s, 1], p)
      d = der(picky(s))
      o = picky(s)
    end
    """
    path = write_model(textwrap.dedent(text))
    with pytest.raises(ModelError, match="E297"):
        load(path)
    loaded = load(path, allow_external=True)
    run = loaded.simulate(1.0, target=target)
    np.testing.assert_allclose(run["y(2)"], 2 * run["s"])
    np.testing.assert_allclose(run["d"], 5.0)
    assert loaded.build(target).bind({}).p.tolist() == [2.0, 5.0]
    with pytest.raises(RunError, match="no data") as caught:
        raise loaded.simulate(2.0, target=target).first_not_finite().error()
    assert caught.value.code == "E625"


@pytest.mark.parametrize("method", ["auto", "bdf", "ggl"])
def test_an_event_at_which_a_function_has_no_value(
    method: str, write_model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "helper_early.py").write_text(
        "def early(t):\n    if t > 0.35:\n        raise ValueError('late')\n    return t\n"
    )
    text = """
    external function early(t) result y "python:helper_early.early"
    function asserted(t) result y
      assert t < 0.35, "t is late"
      y := t
    end
    model M
      local x (start=1), d (start=0)
      der(x) = d - x
      when sample(0.1, 0.1) then
        new(d) = {function}(time)
      endwhen
    end
    """
    for function, code in (("early", "E625"), ("asserted", "E623")):
        path = write_model(textwrap.dedent(text.format(function=function)))
        with pytest.raises(RunError, match=rf"'{function}'.*late.*at time 0\.4") as caught:
            load(path, allow_external=True).simulate(1.0, method=method)
        assert caught.value.code == code
