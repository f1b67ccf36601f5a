"""Tests functions in JAX; test_model_function.py runs it in a process of its own, since JAX starts threads."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from handbook.blocks import blocks_of
from model_functions import (
    PARAMETERS,
    check_file,
    check_parameters,
    check_residuals,
    check_values,
    function,
    has_slopes_of,
    is_noticed,
    machine,
    small,
)

import cutset

jax.config.update("jax_enable_x64", True)


def compiled(f: Any) -> Any:
    """The function, compiled with few optimizations."""
    return jax.jit(f, compiler_options={"xla_backend_optimization_level": 0})


def of_numbers(f: Any) -> Any:
    return replace(f, function=compiled(f.function))


@cache
def derivatives(f: Any) -> Any:
    return compiled(jax.jacfwd(f, argnums=(1, 2)))


def slopes(f: Any, given: Any) -> list[Any]:
    (a, b), (c, d) = derivatives(f)(*given)
    return [a, b, c, d]


def test_a_function_is_the_model() -> None:
    check_values(of_numbers(function("jax")))
    assert has_slopes_of(machine(), function("jax"), function("jax").function, slopes)


def test_residuals() -> None:
    check_residuals(of_numbers(function("jax", residual=True)))


def test_parameters() -> None:
    check_parameters(of_numbers(machine().function("jax", **PARAMETERS)))


def test_a_file_needs_no_cutset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check_file("jax", compiled, tmp_path, capsys, monkeypatch)


def test_the_example_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parent.parent / "docs" / "use" / "function.md"
    blocks = {block.name: block.text for block in blocks_of(page.read_text(encoding="utf-8")) if block.name}
    monkeypatch.chdir(tmp_path)
    Path("drive.mo").write_text(blocks["drive.mo"])
    space: dict[str, Any] = {}
    exec(blocks["many.py"], space)
    f, x, m = cutset.load("drive.mo").function("numpy", parameters=["J", "R"]), space["x"], space["m"]
    p = np.array(f.defaults["p"])
    value, above, below = (np.mean(f(0.0, x, [6.0], p + d, m)[0] ** 2) for d in (0.0, [0.0, 1e-4], [0.0, -1e-4]))
    assert float(space["value"]) == pytest.approx(value, rel=1e-12)
    assert float(space["slope"][1]) == pytest.approx((above - below) / 2e-4, rel=1e-6)


def test_reverse_derivatives_pass_iterations_and_many_points() -> None:
    f = small().function("jax")
    x, rest = np.linspace(0.2, 1.0, 4)[:, None], (np.array([0.3]), np.zeros(0), np.zeros(0), np.zeros(1))
    slope = compiled(jax.vmap(jax.grad(lambda x: f.function(0.0, x, *rest)[0][0])))(x)
    for k in range(4):
        np.testing.assert_allclose(slope[k], small().linearize(0.0, x[k], rest[0]).A[0], rtol=1e-7)


def test_a_loop_of_unknown_length_has_derivatives_forward() -> None:
    text = "function f(x) result y\n  y := x\n  while y > 1 do\n    y := y/2\n  endwhile\nend\n"
    f = cutset.loads(text + "model M\n  local x (start=3)\n  der(x) = -f(x)\nend\n").function("jax")
    rest = [np.zeros(0)] * 4
    both = compiled(lambda x: (f.function(0.0, x, *rest)[0], jax.jacfwd(lambda x: f.function(0.0, x, *rest)[0])(x)))
    assert [float(each.squeeze()) for each in both(np.array([3.0]))] == [-0.75, -0.25]


@cache
def of_small() -> Any:
    return small().function("jax", outputs=["z"])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"tanh": jnp.tanh', '"tanh": jnp.sin'),
        ("jnp.linalg.solve(jax.jacfwd(f)(y), y)", "0.5 * jnp.linalg.solve(jax.jacfwd(f)(y), y)"),
        ('"fabs": jnp.abs', '"fabs": lambda x: jax.lax.stop_gradient(jnp.abs(x))'),
        ("jnp.linalg.solve(jnp.stack(", "1.001 * jnp.linalg.solve(jnp.stack("),
    ],
)
def test_a_planted_fault_is_noticed(right: str, wrong: str) -> None:
    f, points = of_small(), [(0.0, [0.7], [0.3])]
    assert has_slopes_of(small(), f, f.function, slopes, points)
    assert is_noticed(right, wrong, small(), f, slopes, points)
