"""Does episodes of many runs of a model: actions -> observed variables and rewards. Knows no gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.api.runs.batch import chosen_outputs
from cutset.api.runs.expressions import expression
from cutset.api.runs.sampling import sample
from cutset.api.runs.settings import MethodSettings
from cutset.api.runs.stepping import simulators_of
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.errors import require_names, unknown_variable
from cutset.runtime.interface import Vector
from cutset.runtime.runs.simulators import Simulators

Mask = NDArray[np.bool_]
Reward = str | Callable[[Simulators], Vector]
Condition = Callable[[Simulators], Mask]


class Episodes:
    """Episodes of `n` runs of a model: `low` and `high` are the limits of actions, `names` the observed variables."""

    def __init__(
        self,
        model: TranslatedModel,
        n: int,
        observe: str | Iterable[str],
        act: Mapping[str, float | tuple[float, float]],
        reward: Reward,
        every: float,
        until: Condition | None,
        stop: float | None,
        law: Mapping[str, Mapping[str, Any]],
        settings: MethodSettings,
    ):
        info = model.translated.info
        self.n, self._every, self._until, self._law = n, every, until, law
        self._stop = np.inf if stop is None else stop
        self.names = chosen_outputs(info, observe, ())
        require_names("input", act, info.inputs)
        limits = [limit if isinstance(limit, tuple) else (-limit, limit) for limit in act.values()]
        self.low, self.high = np.array(limits, dtype=float).reshape(-1, 2).T
        self._columns = [info.inputs.index(name) for name in act]
        known = {*info.names, *info.folded, "time"}
        outputs = dict.fromkeys(self.names)
        if isinstance(reward, str):
            found = expression(reward, known.__contains__, partial(unknown_variable, known=known))
            outputs |= dict.fromkeys(found.names)
            self._reward: Callable[[Simulators], Vector] = lambda sims: found([sims[name] for name in found.names])
        else:
            self._reward = reward
        drawn = {kind: self._drawn(part, n, 0) for kind, part in law.items()}
        own: Any = {**settings, **drawn, "outputs": tuple(outputs)}
        self.sims = simulators_of(model, n, own)
        self._places = [self.sims.outputs.index(name) for name in self.names]

    @staticmethod
    def _drawn(law: Mapping[str, Any], n: int, seed: int) -> Mapping[str, Vector]:
        return sample(law, n, "random", seed) if law else {}

    def reset(self, where: NDArray[np.int_], generator: np.random.Generator) -> None:
        """Begin these episodes again, with drawn values."""
        drawn = {
            kind: self._drawn(part, len(where), int(generator.integers(1 << 32))) for kind, part in self._law.items()
        }
        self.sims.reset(where, **drawn)

    def observed(self) -> Vector:
        """The observed variables now: shape (n, number of names), a new array."""
        return self.sims.y[:, self._places].astype(np.float32)

    def step(self, action: Vector) -> tuple[Vector, Mask, Mask]:
        """Go on with these actions (n, n_actions): the rewards, and which episodes are terminated, and truncated."""
        self.sims.u[:, self._columns] = np.clip(action, self.low, self.high)
        self.sims.step(self._every)
        ended = self.sims.terminated
        if self._until is not None:
            ended = ended | self._until(self.sims)
        ended[list(self.sims.failed)] = True
        truncated = ~ended & (self.sims.time > self._stop - 1e-9 * self._every)
        return np.array(np.broadcast_to(self._reward(self.sims), self.n), dtype=float), ended, truncated
