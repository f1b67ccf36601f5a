"""C and Python are the same arithmetic: equal to 1e-13 for every model that ships, at random states."""

from pathlib import Path

import numpy as np
import pytest

from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.build import build
from cutset.runtime.initialize import held_at
from cutset.runtime.toolchain import find_compiler

MODELS = sorted((Path(__file__).parent.parent.parent / "models").glob("*.mo"))


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_c_and_python_agree(path):
    program = compile_model(path, None)
    c, python = (build(emit(program, target), target) for target in ("c", "python"))
    vc, vp = c.bind({}), python.bind({})
    results = vp.c != 0.0  # C leaves factors in its scratch memory
    np.testing.assert_allclose(vc.c[results], vp.c[results], rtol=1e-13, atol=0)
    np.testing.assert_allclose(vc.s, vp.s, rtol=1e-13, atol=0)
    none = np.zeros(c.info.n_modes)
    np.testing.assert_array_equal(c.instants(vc, none), python.instants(vp, none))
    rng = np.random.default_rng(7)
    for t in rng.uniform(0, 3, 10):
        x, u = rng.uniform(-2, 2, len(c.info.states)), rng.uniform(-2, 2, len(c.info.inputs))
        mc, mp = held_at(c, vc, t, x, u), held_at(python, vp, t, x, u)
        np.testing.assert_array_equal(mc, mp)
        dc, dp = c.derivatives(t, x, u, vc, mc), python.derivatives(t, x, u, vp, mp)
        np.testing.assert_allclose(dc, dp, rtol=1e-13, atol=1e-13 * np.nanmax(np.abs(dc), initial=0.0))
        yc, yp = (m.variables(np.array([t]), x[None], u[None], v, mc[None])[0] for m, v in ((c, vc), (python, vp)))
        np.testing.assert_allclose(yc, yp, rtol=1e-13, atol=1e-13 * np.nanmax(np.abs(yc), initial=0.0))


@pytest.mark.parametrize("target", ["c", "python"])
def test_an_instant_that_depends_on_another(target, write_model):
    """Each changes when the other has, or by itself; at the instant it has what holds from then on."""
    if target == "c" and find_compiler() is None:
        pytest.skip("without a C compiler")
    text = "model M\n  local x\n  x = if 3*time <= (if time < 0.5 then 2 else time + 1) then 1 else 0\nend\n"
    model = build(emit(compile_model(write_model(text), None), target), target)
    values = model.bind({})
    none = np.zeros(0)
    for t, x in ((0.4, 1.0), (0.49, 1.0), (0.5, 0.0), (0.51, 0.0), (0.7, 0.0)):
        modes = held_at(model, values, t, none, none)
        row = model.variables(np.array([t]), none[None], none[None], values, modes[None])[0]
        assert row[model.info.names["x"].index] == x
