"""Functions of models in all kinds at random points near the state of a run, compared with the kind numpy and evaluate.

`python -m oracles.functions_of_kinds casadi,sympy,c,jax [MODEL ...]` prints for each model (default: those of models/
with states) and kind the largest difference, in units of what is allowed: 1e-12 of the values, and a few times what
the rounding of the states alone changes. Derivatives of CasADi are compared with those of linearize. A kind whose
iterations have no expressions is compared in the residual form. 1 or less is equal.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cutset
from cutset.runtime.errors import RunError

Array = NDArray[np.float64]
_POINTS, _NEAR, _EXACT, _NOISE, _OF_SLOPES = 4, 1e-3, 1e-12, 30.0, 1e-6
_MODELS = Path(__file__).parent.parent.parent / "models"


def state_of_run(model: cutset.Model, f: Any) -> tuple[Array, Array, Array]:
    """The states, held values and unknowns of iterations at 1 ms."""
    saved, info = json.loads(model.simulate(1e-3).state()), model.translated.info
    unknowns, place = {}, 0
    for closing in info.closings:
        for k, name in enumerate(closing.unknowns):
            unknowns.setdefault(name, saved["guesses"][place + k])
        place += 2 * len(closing.unknowns) + 1
    now = (np.array(saved["parts"][name], dtype=float) for name in ("now.x", "now.m"))
    return (*now, np.array([unknowns[name] for name in f.names["z"]]))


def in_c(f: Any, folder: str) -> Callable[..., list[Array]]:
    """The function of the files in C."""
    paths = [path for path in f.write(folder) if path.suffix == ".c" and path.name != "main.c"]
    library = str(Path(folder, "made.so"))
    subprocess.run(["cc", "-O0", "-shared", "-fPIC", *map(str, paths), "-lm", "-o", library], check=True)
    (name,) = [path.stem for path in paths if path.stem.endswith("_function")]
    compiled = getattr(ctypes.CDLL(library), name)

    def call(t: float, *others: Array) -> list[Array]:
        given = [np.ascontiguousarray(each, dtype=float) for each in ([t], *others)]
        results = [np.zeros(len(f.names[each])) for each in ("dx", "y")]
        arrays = [each for each in (*given, *results) if len(each)]
        compiled(*(each.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for each in arrays))
        return results

    return call


def callable_of(model: cutset.Model, kind: str, outputs: Sequence[str], parameters: Sequence[str], folder: str) -> Any:
    """The function of arrays (t, x, u, p, m, z, dx) that `kind` computes; the last one belongs to the residual form."""
    try:
        f = model.function(kind, outputs, parameters)
    except RunError as error:
        if "iteration" not in error.message:
            raise
        r = model.function(kind, outputs, parameters, residual=True)

        def residuals(t: float, x: Array, u: Array, p: Array, m: Array, z: Array, dx: Array) -> list[Any]:
            found, y = r(t, dx, x, z, u, p, m)
            return [dx - np.array(found, dtype=float).ravel()[: len(x)], y]

        return residuals
    if kind == "jax":
        import jax

        compiled = jax.jit(f.function, compiler_options={"xla_backend_optimization_level": 0})
        return lambda *given: compiled(*map(np.asarray, given[:-1]))
    call = in_c(f, folder) if kind == "c" else f
    return lambda *given: call(*given[:-1])


def flat(results: Any) -> Array:
    return np.concatenate([np.array(each, dtype=float).ravel() for each in results])


def compared(path: Path, kinds: Sequence[str], folder: str) -> dict[str, float]:
    """The largest difference of each kind, in units of what is allowed."""
    model, rng = cutset.load(path), np.random.default_rng(3)
    info = model.translated.info
    names = [name for name, slot in info.names.items() if slot.array != "p"]
    outputs = names[:: max(1, len(names) // 5)][:5]
    parameters = [name for name in info.parameters if not any(name in o for o in info.choosing_starts)][:3]
    f = model.function("numpy", outputs, parameters)
    x0, m, z = state_of_run(model, f)
    of_unknowns = model.function("numpy", f.names["z"], parameters) if len(z) else lambda *given: (None, z)
    calls = {kind: callable_of(model, kind, outputs, parameters, f"{folder}/{path.stem}_{kind}") for kind in kinds}
    worst = dict.fromkeys(["evaluate", *kinds], 0.0)
    for _ in range(_POINTS):
        t, u = rng.uniform(0.0, 1.0), rng.uniform(-1.0, 1.0, len(f.names["u"]))
        x = x0 + _NEAR * rng.uniform(-1.0, 1.0, len(x0)) * np.maximum(np.abs(x0), 0.3)
        p = np.array(f.defaults["p"]) * (1.0 + 1e-3 * rng.uniform(-1.0, 1.0, len(parameters)))
        z = of_unknowns(t, x, u, p, m, z)[1]
        wanted = flat(f(t, x, u, p, m, z))
        turned = [flat(f(t, x * (1.0 + 4e-16 * rng.choice([-1, 1], len(x))), u, p, m, z)) for _ in range(3)]
        noise = np.max([np.abs(each - wanted) for each in turned], axis=0)
        allowed = _EXACT * (np.abs(wanted) + 1e-3 * np.abs(wanted).max()) + _NOISE * noise + 1e-300
        for kind, call in calls.items():
            near = z if call.__name__ == "residuals" else z * (1.0 + 1e-3 * rng.uniform(-1.0, 1.0, len(z)))
            difference = np.abs(flat(call(t, x, u, p, m, near, wanted[: len(x)])) - wanted)
            worst[kind] = max(worst[kind], float(np.nan_to_num(difference / allowed, nan=np.inf).max()))
        try:
            found = model.evaluate(t, x, u)
        except RunError:
            continue
        own = f(t, x, u, f.defaults["p"], f.modes(t, x, u), f.defaults["z"])[0]
        worst["evaluate"] = max(
            worst["evaluate"], float(np.abs(own - found).max() / (1e-12 * np.abs(found).max() + 1e-300))
        )
    if "casadi" in kinds:
        worst["slopes"] = _slopes(model, x0)
    return worst


def _slopes(model: cutset.Model, x: Array) -> float:
    """The difference of A by CasADi from that of linearize, in units of what is allowed; 0 if that fails."""
    f = model.function("casadi")
    u = np.zeros(len(f.names["u"]))
    try:
        exact = model.linearize(0.5, x, u[: len(model.inputs)]).A
    except RunError:
        return 0.0
    A = f.function.factory("A", f.function.name_in(), ["jac:dx:x"])
    own = np.array(A(0.5, x, u, [], f.modes(0.5, x, u[: len(model.inputs)]), f.defaults["z"]))
    return float(np.nan_to_num(np.abs(own - exact) / (_OF_SLOPES * np.abs(exact).max() + 1e-300), nan=np.inf).max())


def main(kinds: Sequence[str], paths: Sequence[Path]) -> None:
    if "jax" in kinds:
        import jax

        jax.config.update("jax_enable_x64", True)
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            try:
                if cutset.load(path).states:
                    print(
                        path,
                        {kind: f"{error:.1e}" for kind, error in compared(path, kinds, folder).items()},
                        flush=True,
                    )
            except (RunError, cutset.ModelError) as error:
                if getattr(error, "code", "") or "E206" not in str(error):
                    print(path, str(error).splitlines()[0], flush=True)


if __name__ == "__main__":
    main(sys.argv[1].split(","), list(map(Path, sys.argv[2:])) or sorted(_MODELS.rglob("*.mo")))
