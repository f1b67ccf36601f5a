"""Makes environments for reinforcement learning of a model: observed variables, actions, a reward -> gymnasium's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from cutset.api.runs.episodes import Condition, Episodes, Reward
from cutset.api.runs.settings import MethodSettings
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.optional_packages import need_package


def gymnasium(
    model: TranslatedModel,
    observe: str | Iterable[str],
    act: Mapping[str, float | tuple[float, float]],
    reward: Reward,
    every: float,
    *,
    n: int | None = None,
    until: str | Condition = "",
    stop: float | None = None,
    initial: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    **settings: Unpack[MethodSettings],
) -> Any:
    """An environment of gymnasium with the runs of a model: a `gymnasium.Env`, or with `n` a
    `gymnasium.vector.VectorEnv` of so many, in which an episode that is over begins again at the next step.

    observe     patterns of the variables that are observed
    act         the limits of each input that is an action: (least, most), or a number for both signs; it is held there
    reward      an expression of variables, as it is after a step, or a function of `Simulators` that returns (n,)
    every       the time from action to action in s
    until       a condition that ends an episode (terminated): a text such as "abs(phi) > 0.5" at its instant, which is
                an event; or at the end of a step a function of `Simulators` that returns (n,)
    stop        the time in s at which an episode ends otherwise (truncated)
    initial, parameters  a number or a distribution (`cutset.uniform`) for each name, drawn at each reset

    The other settings are those of `simulate`. An episode whose step fails is terminated; `info["failed"]` has the
    reasons by the numbers of environments. RunError for wrong names and values, and E647 without gymnasium."""
    need_package("gymnasium", "environments")
    from cutset.api.runs.environments import Environment, Environments

    law = {"initial": dict(initial or {}), "parameters": dict(parameters or {})}
    own = model.until(until) if isinstance(until, str) and until else model
    ending = None if isinstance(until, str) else until
    episodes = Episodes(own, 1 if n is None else n, observe, act, reward, every, ending, stop, law, settings)
    return Environment(episodes) if n is None else Environments(episodes)
