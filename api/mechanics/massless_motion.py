"""Names the joints of a mechanism that can move together without moving a mass.

They are the reason why the accelerations, which follow from the mass matrix, have no value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cutset.api.translated_model import TranslatedModel
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate.names.standard_libraries import enumerated
from cutset.compiler.options import Options, pairs
from cutset.runtime.errors import RunError

if TYPE_CHECKING:
    from cutset.api.mechanics.mechanics import Mechanics


# Errors of equations that cannot be solved. The mass matrix itself comes from mbssim, which divides by less.
_UNSOLVED = frozenset({"E501", "E509"})
_OTHERS, _OURS = ("mbs", "mbsmat", "mbsabs"), "mbssim"
# An eigenvalue of the mass matrix relative to its diagonal, and an entry of its vector, that are zero up to rounding.
_ZERO, _NONE = 1e-12, 1e-6


def massless_motion(model: TranslatedModel, at: Mapping[str, float]) -> str:
    """Which joints move no mass at the positions in `at` (0 if absent), and what to change; '' if none does, or if the
    model has no mechanism whose mass matrix is a function of its positions."""
    try:
        mechanism = model.mechanics()
        here = np.array([at.get(name, 0.0) for name in mechanism.positions])
        named = _loose(mechanism, here)
        rng = np.random.default_rng(0)
        elsewhere = bool(named) and _loose(mechanism, here + rng.uniform(0.2, 0.8, here.shape))
    except (RunError, ModelError, np.linalg.LinAlgError):
        return ""
    if not named:
        return ""
    joints = enumerated((f"'{name}'" for name in named), "and")
    who = f"the joints {joints} can move together" if len(named) > 1 else f"the joint {joints} can move"
    if elsewhere:
        return f"{who} without moving a mass or an inertia: connect a body with an inertia behind the last of them"
    return f"{who} here without moving a mass or an inertia, as joints do whose axes are in line: start elsewhere"


def _loose(mechanism: Mechanics, q: np.ndarray) -> list[str]:
    """The joints that share in motions without kinetic energy."""
    mass = mechanism.mass_matrix(q)
    scale = np.sqrt(np.where(np.diag(mass) > 0, np.diag(mass), 1.0))
    values, vectors = np.linalg.eigh(mass / np.outer(scale, scale))
    shares = np.abs(vectors[:, np.abs(values) <= _ZERO]).max(axis=1, initial=0.0)
    moving = {name for name, share in zip(mechanism.velocities, shares, strict=True) if share > _NONE}
    return [joint.name for joint in mechanism.joints if moving & {*joint.velocities}]


def explained(error: ModelError, options: Options, load: Callable[[Options], TranslatedModel]) -> ModelError:
    """The error of a translation; if joints that move no mass are its reason, it says so. `load` translates the model
    with other options."""
    if not any(each.code in _UNSOLVED for each in error.diagnostics):
        return error
    hint = next(filter(None, (_hint(options, load, library) for library in _OTHERS)), "")
    return ModelError(replace(d, hint=hint) if hint and d.code in _UNSOLVED else d for d in error.diagnostics)


def _hint(options: Options, load: Callable[[Options], TranslatedModel], library: str) -> str:
    try:
        model = load(replace(options, instead=pairs(dict(options.instead) | {library: _OURS})))
    except ModelError:
        return ""
    values = model.build("python").bind({})
    return massless_motion(model, dict(zip(model.translated.info.states, values.s.tolist(), strict=False)))
