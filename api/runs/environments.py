"""Shows episodes of a model as environments of gymnasium, which is an optional package."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cutset.api.runs.episodes import Episodes, Mask
from cutset.runtime.interface import Vector


def _spaces(episodes: Episodes) -> tuple[Box, Box]:
    """The space of observations, and that of actions."""
    low, high = episodes.low.astype(np.float32), episodes.high.astype(np.float32)
    return Box(-np.inf, np.inf, (len(episodes.names),), np.float32), Box(low, high, dtype=np.float32)


class Environment(Env[Any, Any]):
    """One episode after the other."""

    def __init__(self, episodes: Episodes):
        self.episodes = episodes
        self.observation_space, self.action_space = _spaces(episodes)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Begin an episode: its observation, and {}."""
        super().reset(seed=seed)
        self.episodes.reset(np.array([0]), self.np_random)
        return self.episodes.observed()[0], {}

    def step(self, action: Vector) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """The observation after the action, its reward, whether the episode is terminated, truncated, and `failed`."""
        reward, ended, truncated = self.episodes.step(np.asarray(action)[None])
        failed = dict(self.episodes.sims.failed)
        info = {"failed": failed} if failed else {}
        return self.episodes.observed()[0], float(reward[0]), bool(ended[0]), bool(truncated[0]), info


class Environments(VectorEnv[Any, Any, Any]):
    """Many episodes at once. One that is over begins again at the next step, which has no reward."""

    def __init__(self, episodes: Episodes):
        self.episodes, self.num_envs = episodes, episodes.n
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space, self.single_action_space = _spaces(episodes)
        self.observation_space = batch_space(self.single_observation_space, episodes.n)
        self.action_space = batch_space(self.single_action_space, episodes.n)
        self._is_over = np.zeros(episodes.n, dtype=bool)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Begin all episodes: their observations (n, ...), and {}."""
        super().reset(seed=seed)
        self.episodes.reset(np.arange(self.num_envs), self.np_random)
        self._is_over[:] = False
        return self.episodes.observed(), {}

    def step(self, actions: Vector) -> tuple[Vector, Vector, Mask, Mask, dict[str, Any]]:
        """The observations after the actions, their rewards (n,), which episodes are terminated (n,), truncated (n,),
        and `failed`."""
        reward, ended, truncated = self.episodes.step(actions)
        failed = {k: why for k, why in self.episodes.sims.failed.items() if not self._is_over[k]}
        again, info = self._is_over, {"failed": failed} if failed else {}
        if again.any():
            self.episodes.reset(np.flatnonzero(again), self.np_random)
            reward[again], ended[again], truncated[again] = 0.0, False, False
        self._is_over = ended | truncated
        return self.episodes.observed(), reward, ended, truncated, info
