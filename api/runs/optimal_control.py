"""Adds optimal control to `Model`: motions that are best, and predictive controllers. Loads CasADi when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from cutset.api.runs.settings import OptimizeSettings, takes
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.optional_packages import need_package

if TYPE_CHECKING:
    from cutset.api.runs.optimum import Optimum
    from cutset.api.runs.predictive_control import PredictiveController
    from cutset.runtime.results.result import Result


class OptimalControl(TranslatedModel):
    """The methods of `Model` that need CasADi: ``pip install 'cutset[optimal]'``."""

    @takes(OptimizeSettings)
    def optimize(self, minimize: str, **settings: Unpack[OptimizeSettings]) -> Optimum:
        """The motion for which an objective is least: "time", an expression of values at the end such as "-h", or one
        with "integral(F^2)", "mean(P)" and "max(La.i)" of expressions. All inputs are free;
        `cutset.api.runs.settings.OptimizeSettings` documents conditions and settings. A run with events checks the
        result.

        RunError E668 if the solver finds no motion, with the conditions that are missed; E602, E605 and E607 for names
        and values that cannot be used and an objective without a derivative, E604 for a parameter that decides on the
        equations, E647 without CasADi, E655 for a model with delays or derivatives of inputs.
        """
        need_package("casadi", "optimal motions")
        from cutset.api.runs.optimum import optimize

        return optimize(self, minimize, settings)

    def mpc(
        self,
        minimize: str,
        *,
        sample: float,
        horizon: int,
        kind: str = "linear",
        limits: Mapping[str, Any] | None = None,
        end: Mapping[str, Any] | None = None,
        references: Mapping[str, float] | None = None,
        at: Result | Mapping[str, float] | None = None,
    ) -> PredictiveController:
        """A controller that minimizes an objective over the next `horizon` samples of `sample` s and applies the first
        inputs. "linear" takes the model linearized at the start, with values `at`, or at the end of a result, and a
        quadratic objective, whose integral is a sum over samples; "nonlinear" takes the model itself, by collocation.
        `limits` and `end`, those of the horizon, are as in `optimize`; `references` are further names in these
        expressions, with values that calls may change. Errors as of `optimize`."""
        need_package("casadi", "predictive controllers")
        from cutset.api.runs.predictive_control import predictive_controller

        given = limits or {}, end or {}, references or {}, at or {}
        return predictive_controller(self, minimize, (sample, horizon), kind, *given)
