"""C and Python are the same arithmetic: equal to 1e-13 for every model that ships, at random states."""

from pathlib import Path

import numpy as np
import pytest
from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.build import build
from cutset.runtime.toolchain import find_compiler

MODELS = sorted((Path(__file__).parent.parent.parent / "models").glob("*.mo"))


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_c_and_python_agree(path):
    program = compile_model(path, None)
    c, python = (build(emit(program, target), target) for target in ("c", "python"))
    vc, vp = c.bind({}), python.bind({})
    np.testing.assert_allclose(vc.c, vp.c, rtol=1e-13, atol=0)
    np.testing.assert_allclose(vc.x0, vp.x0, rtol=1e-13, atol=0)
    np.testing.assert_array_equal(vc.event_times, vp.event_times)
    rng = np.random.default_rng(7)
    for t in rng.uniform(0, 3, 10):
        x, u = rng.uniform(-2, 2, len(c.info.states)), rng.uniform(-2, 2, len(c.info.inputs))
        mc, mp = c.modes(t, vc), python.modes(t, vp)
        np.testing.assert_array_equal(mc, mp)
        dc, dp = c.derivatives(t, x, u, vc, mc), python.derivatives(t, x, u, vp, mp)
        np.testing.assert_allclose(dc, dp, rtol=1e-13, atol=1e-13 * np.abs(dc).max())
        yc, yp = (m.variables(np.array([t]), x[None], u[None], v, mc[None])[0] for m, v in ((c, vc), (python, vp)))
        np.testing.assert_allclose(yc, yp, rtol=1e-13, atol=1e-13 * np.abs(yc).max())


@pytest.mark.parametrize("target", ["c", "python"])
def test_an_instant_that_depends_on_another(target, write_model):
    """It is not known beforehand; the relation is evaluated as it stands."""
    if target == "c" and find_compiler() is None:
        pytest.skip("without a C compiler")
    text = "model M\n  local x\n  x = if 3*time <= (if time < 0.5 then 2 else time + 1) then 1 else 0\nend\n"
    model = build(emit(compile_model(write_model(text), None), target), target)
    values = model.bind({})
    no_states, no_inputs = values.x0[None], np.zeros((1, 0))
    for t, x in ((0.4, 1.0), (0.49, 1.0), (0.5, 1.0), (0.51, 0.0), (0.7, 0.0)):
        modes = model.modes(t, values)[None]
        assert model.variables(np.array([t]), no_states, no_inputs, values, modes)[0].tolist() == [x]
