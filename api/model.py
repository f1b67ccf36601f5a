"""Loads, simulates, evaluates and shows models from Python. Prints nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack

from cutset.api.files.exporting import Exportable
from cutset.api.files.input_tables import InputsOfRun, continuable
from cutset.api.mechanics.refused_start import started
from cutset.api.mechanics.robots import warn_of_losses
from cutset.api.runs.continuation import Before, continued
from cutset.api.runs.evaluation import PointFunctions
from cutset.api.runs.optimal_control import OptimalControl
from cutset.api.runs.settings import BatchSettings, ManySettings, RunSettings, StepSettings, SweepSettings, takes
from cutset.api.show.inspection import facts_of
from cutset.api.translate.cached_translation import translated
from cutset.api.translate.given_values import elements, require_known, spread
from cutset.api.translate.own_settings import completed
from cutset.api.translate.parameter_values import Setting, may_be_quantity
from cutset.api.translate.retranslation import OF_VALUES
from cutset.api.translate.translation_options import LoadSettings, translation_options
from cutset.api.translated_model import M, attempted
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.observer import Listener
from cutset.compiler.options import Options
from cutset.runtime.counted import counted
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.given.inputs import InputSignal
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.results.result import Result
from cutset.runtime.runs.changeover import simulate_changing, steady_changing
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import refusal

if TYPE_CHECKING:
    import networkx as nx
    import sympy

    from cutset.api.mechanics.mechanics import Mechanics
    from cutset.api.notebook.exploration import Sliders
    from cutset.api.notebook.widget import Explorer
    from cutset.api.runs.batch import Batch
    from cutset.api.runs.fit import Fit
    from cutset.api.runs.functions import ModelFunction
    from cutset.api.runs.prescribed_motion import Problem
    from cutset.api.runs.sweep import Keep
    from cutset.api.runs.sweep_points import Vary
    from cutset.api.show.listing import Component, ListedVariable
    from cutset.api.show.sweep_table import Sweep
    from cutset.compiler.why import Reason
    from cutset.runtime.runs.simulator import Simulator
    from cutset.runtime.runs.simulators import Simulators


@takes(LoadSettings)
def load(
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    listeners: Iterable[Listener] = (),
    **settings: Unpack[LoadSettings],
) -> Model:
    """Translate the object `name` of the file, or its last object if `name` is None. A robot (.urdf, .xml) is read as
    `cutset.import_robot` writes it, with warnings (NotImported) of what it cannot.

    `listeners` are called after each stage with its name and result; `translation_options.LoadSettings` lists the
    settings. ModelError carries all errors of the model; TypeError for an unknown setting or if `name` is not a string,
    ValueError for an unknown optimization, RunError for an unknown parameter.
    """
    if not isinstance(name, str | None):
        raise TypeError(f"name must be a string, the name of an object in the file, not {name!r}")
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path must be the path of a file, not {path!r}")
    warn_of_losses(Path(path), translation_options({**settings, "parameters": {}}).library_path)
    return loaded_with(settings, lambda options, given: loaded(Path(path), name, options, given, listeners))


def loaded_with(settings: LoadSettings, load_with: Callable[[Options, Mapping[str, Setting]], Model]) -> Model:
    """The model with these settings; a first one tells the unit of a parameter that is a text such as "10 kOhm"."""
    given = spread(settings.get("parameters") or {})
    numbers = {each: value for each, value in given.items() if not may_be_quantity(value)}
    if any(isinstance(value, str) for value in given.values()):
        plain = load_with(translation_options({**settings, "parameters": numbers}), numbers)
        settings = {**settings, "parameters": plain.translated.numbers(given)}
    return load_with(translation_options(settings), settings.get("parameters") or {})


def loaded(
    path: Path,
    name: str | None,
    options: Options,
    parameters: Mapping[str, Setting],
    listeners: Iterable[Listener] = (),
) -> Model:
    """As `load`, with the options of the translation."""
    try:
        model = Model._of(translated(path, name, options, listeners), path, options)
    except ModelError as error:
        from cutset.api.mechanics.massless_motion import explained

        raise explained(error, options, lambda other: Model._of(translated(path, name, other), path, other)) from error
    require_known(model.translated.info, elements(model.translated.info, parameters))
    return model.with_values(parameters) if parameters else model


class Model(PointFunctions, OptimalControl, Exportable):
    """A translated model, made by `cutset.load`. Its code is built for a target on first use.

    `seconds` is the time each stage took, `description` holds units, documentation and the elements that can be drawn;
    `translated` is the compiler's result.
    """

    def __init__(self) -> None:
        raise TypeError("create a model with cutset.load(path)")

    @takes(RunSettings)
    def simulate(
        self,
        stop: float | None = None,
        *,
        target: str = "auto",
        until: str | None = None,
        start_from: Before | None = None,
        sensitivities: Iterable[str] = (),
        **settings: Unpack[RunSettings],
    ) -> Result:
        """Integrate from `start` to `stop` (in s) and return the result, with the settings that
        `cutset.api.runs.settings.RunSettings` documents. Each event adds rows at its instant, before and after it.
        `until` is a condition that ends the run, as `Model.until` adds it. `start_from` is a run that this one
        continues, as result, .npz file or state: it starts at its end. `sensitivities` are parameters and start values
        ("start of x") by which the result has the derivatives of all variables (`Result.sensitivity`). RunError if a
        setting or a name is wrong, or if the run fails, and Interrupted (a KeyboardInterrupt) after Ctrl-C: their
        `result` has the rows so far. `run` returns them.
        """
        given, inputs = self._numbers(settings.get("parameters") or {}), settings.get("inputs")
        driven = {} if inputs is None else self.signals(inputs)
        experiment = completed(self.experiment, **{**settings, "stop": stop, "parameters": given, "inputs": driven})
        model = self if until is None else self.until(until)
        if sensitivities:
            from cutset.api.runs.sensitivities import refused, with_sensitivities

            if start_from is not None:
                raise RunError("E605", "a run that continues another one has no sensitivities", "run from the start")
            with refused():
                return (
                    with_sensitivities(model, sensitivities, model.settled(experiment))
                    .run(experiment, target)
                    .completed()
                )
        return model.run(experiment, target, start_from=start_from).completed()

    def run(
        self,
        experiment: Experiment,
        target: str = "auto",
        now: Vector | None = None,
        start_from: Before | None = None,
    ) -> Result:
        """Run the experiment, or continue another run with it (see `simulate`). If it fails, the result has the rows up
        to the failure, and a `failure`. `now` (1,) receives the current time, for another thread to read. If states
        that the model selects by `state=prefer` cease to determine the other variables, the run is repeated with states
        that it chooses, and a note says so."""
        if start_from is not None:
            return continued(self, experiment, target, start_from)
        experiment = self.settled(experiment)
        model = self.for_method(experiment.method).with_values(experiment.parameters).with_starts(experiment.initial)
        result = model._attempted(experiment, target, now)
        if refusal(result, experiment) in OF_VALUES and self._specialized.may_help(experiment.parameters):
            other = model.for_values(experiment.parameters)
            again = None if other is None else other._attempted(experiment, target, now)
            if other is None or again is None:
                self._specialized.changed_nothing(experiment.parameters)
            elif refusal(again, experiment) not in OF_VALUES:  # it runs, or says more about start values
                model, result = other, again
        result = started(result, experiment, model)
        return continuable(self.signals, result)

    @takes(RunSettings)
    def inverse(
        self,
        known: Mapping[str, Any],
        find: Iterable[str] = (),
        stop: float | None = None,
        *,
        target: str = "auto",
        **settings: Unpack[RunSettings],
    ) -> Result:
        """Run with quantities that are `known` over time, and find others: ``inverse({"r*.q": result}, ["r*.lambda"])``
        are the torques of a motion. Names may be patterns. Without `find` it is the force for a coordinate of a cut, or
        the inputs of the model. `prescribed_motion.problem_of` lists the kinds of signals. The run has the span of
        tables among them, unless `start` and `stop` are given; other arguments are as in `simulate`. ModelError if the
        problem has no solution, RunError for wrong names and signals."""
        given = self._numbers(settings.get("parameters") or {})
        problem = _posed(self.with_values(given), known, find)
        start, stop = problem.span(settings.get("start"), stop)
        inputs = {**problem.inputs, **(settings.get("inputs") or {})}
        own: dict[str, Any] = {**settings, "start": start, "parameters": given, "inputs": inputs}
        return problem.model.simulate(stop, target=target, **own)

    @takes(StepSettings)
    def simulator(
        self, parameters: Mapping[str, Setting] | None = None, target: str = "auto", **settings: Unpack[StepSettings]
    ) -> Simulator:
        """A run that advances step by step, with these settings of `simulate`
        (`cutset.api.runs.settings.StepSettings`); errors as there."""
        from cutset.api.runs.stepping import simulator_of

        return simulator_of(self, self._numbers(parameters or {}), target, settings)

    @takes(ManySettings)
    def simulators(self, n: int, **settings: Unpack[ManySettings]) -> Simulators:
        """`n` runs that advance step by step together, on arrays, with the settings that
        `cutset.api.runs.settings.ManySettings` documents. Each has the numbers of a `simulator`. RunError for wrong
        names and settings, and for a run without a start."""
        from cutset.api.runs.stepping import simulators_of

        return simulators_of(self, n, settings)

    def steady(
        self,
        time: float = 0.0,
        *,
        parameters: Mapping[str, Setting] | None = None,
        inputs: InputsOfRun | None = None,
        initial: Mapping[str, float] | None = None,
        target: str = "auto",
        known: Mapping[str, Any] | None = None,
        find: Iterable[str] = (),
    ) -> Result:
        """Find an equilibrium: a point where all derivatives are zero, with time and inputs constant. Returns a
        result of one row. The search starts where a run at this time would start; arguments as in `simulate`. `known`
        and `find` are those of `inverse`; what is known rests at its value at this time. RunError E636 if no
        equilibrium is found."""
        given = self._numbers(parameters or {})
        if known is not None or find:
            model, held = _posed(self.with_values(given), known, find).at_rest(time)
            held |= {} if inputs is None else model.signals(inputs)
            return model.steady(time, parameters=given, inputs=held, initial=initial, target=target)
        driven = {} if inputs is None else self.signals(inputs)
        experiment = Experiment(time, time, parameters=given, inputs=driven, initial=initial or {})
        experiment = self.settled(experiment)
        model = self.with_values(experiment.parameters).with_starts(experiment.initial)

        def attempt(model: Model) -> Result:
            other = model._other(target, experiment.initial)
            return steady_changing(model.build(target), other, experiment, model.description)

        return attempted(model, experiment.parameters, attempt)

    def small_signal(self, noise: bool = False) -> Self:
        """The model for linear analyses: with an input `ac`, which is zero in runs, for the small signals of the text
        (`ac=1` at a source), and with `noise` for its noise: ``model.small_signal().steady().linearize(["C.u"])``."""
        return self.retranslated(Options(perturbed="noise" if noise else "ac"))

    @takes(SweepSettings)
    def sweep(self, vary: Vary, keep: Keep, stop: float | None = None, **settings: Unpack[SweepSettings]) -> Sweep:
        """Run the model at each point of `vary`: all combinations of values, ``{"R.R": [10, 20], "C.C": [1e-6,
        2e-6]}``, or a list of points, ``[{"R.R": 10}, {"R.R": 20}]``. Names are those of parameters, variables
        (their start values, as in `simulate`) and inputs; vectors have lists. Or a sample of distributions
        (`cutset.sample`). `keep` selects what is recorded of each run: `"x"` (the last value), `"max(x)"`, `"min(x)"`,
        `"mean(x)"`, measures; or by names of your own these and functions of the result, which return numbers or
        arrays: ``{"peak": "max(x)", "x": lambda run: run["x"]}``. `cutset.api.runs.settings.SweepSettings` documents
        the settings. A run that fails becomes a row with its reason. RunError for wrong names and settings.
        """
        from cutset.api.runs.steady_sweep import steady_sweep
        from cutset.api.runs.sweep import sweep

        info, inputs, target = self.translated.info, settings.get("inputs"), settings.get("target") or "auto"
        given, own = elements(info, settings.get("parameters") or {}), elements(info, settings.get("initial") or {})
        steady, known, find = settings.get("steady", False), settings.get("known"), settings.get("find") or ()
        of_runs = {name: settings.get(name) for name in RunSettings.__annotations__}
        chosen = {**of_runs, "stop": stop, "parameters": given, "initial": own, "inputs": None}
        experiment = completed(self.experiment, **chosen)
        model, driven = self, dict[str, InputSignal]()
        if known is not None or find:
            problem = _posed(self.with_values(given), known, find)
            start = experiment.start
            model, driven = problem.at_rest(start) if steady else problem.over(start, experiment.stop)
        driven |= {} if inputs is None else model.signals(inputs)
        experiment = replace(experiment, inputs=driven)
        workers, scheduler = settings.get("workers"), settings.get("scheduler")
        if steady and (workers is not None or scheduler is not None):
            raise RunError("E605", "equilibria are found one after the other", "leave out workers and scheduler")
        if steady:
            return steady_sweep(model, vary, keep, experiment, target)
        model = model.for_method(experiment.method)
        return sweep(model, vary, keep, experiment, target=target, workers=workers, scheduler=scheduler)

    @takes(SweepSettings)
    def monte_carlo(
        self,
        runs: int,
        keep: Keep,
        stop: float | None = None,
        *,
        seed: int = 0,
        tolerances: Mapping[str, Setting] | None = None,
        **settings: Unpack[SweepSettings],
    ) -> Sweep:
        """A sweep over points at which the parameters with tolerances, ``R = 1 kOhm +- 5 %``, are drawn: uniformly,
        independently, equal for equal seeds. `tolerances` adds some or replaces them, ``{"C.C": "10 %"}``. The result
        has `statistics`. Other arguments and errors as for `sweep`; RunError E605 if no parameter has a tolerance."""
        from cutset.api.runs.tolerances import monte_carlo, tolerances_of

        found = tolerances_of(
            self, settings.get("parameters") or {}, tolerances or {}, settings.get("target") or "auto"
        )
        return self.sweep(monte_carlo(found, runs, seed), keep, stop, **settings)

    @takes(SweepSettings)
    def worst_case(
        self,
        keep: Keep,
        stop: float | None = None,
        *,
        tolerances: Mapping[str, Setting] | None = None,
        **settings: Unpack[SweepSettings],
    ) -> Sweep:
        """A sweep over the nominal values (the first row) and all corners of the tolerances. With more than 8 one is
        moved at a time, then all to the limits that raise, and lower, a result. Arguments as for `monte_carlo`."""
        from cutset.api.runs.tolerances import tolerances_of, worst_case

        found = tolerances_of(
            self, settings.get("parameters") or {}, tolerances or {}, settings.get("target") or "auto"
        )
        return worst_case(found, lambda points: self.sweep(points, keep, stop, **settings))

    @takes(BatchSettings)
    def batch(self, stop: float | None = None, **settings: Unpack[BatchSettings]) -> Batch:
        """Run the model for arrays of values: ``batch(2.0, parameters={"R.R": values}, method="rk4", max_step=1e-3)``.
        `cutset.api.runs.settings.BatchSettings` documents the settings. A run that fails is a row with its
        reason; RunError for wrong names and settings."""
        from cutset.api.runs.batch import batch

        return batch(self, stop, settings)

    @takes(StepSettings)
    def fit(
        self,
        parameters: Iterable[str] | Mapping[str, float],
        data: Any,
        outputs: Mapping[str, float],
        *,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        priors: Mapping[str, tuple[float, float]] | None = None,
        free_start: Iterable[str] = (),
        given: Mapping[str, Setting] | None = None,
        **settings: Unpack[StepSettings],
    ) -> Fit:
        """The parameters, with their guesses or the values of the model as such, with which runs agree best with
        measured data: least squares with exact derivatives. `data` is a table as for inputs (`cutset.table`), or a list
        of them, one for each experiment; its columns are `outputs`, which have these standard deviations, and inputs.
        `bounds` are limits (least, most), `priors` (mean, deviation) of parameters; the start values of `free_start`
        are found for each experiment; `given` are values of other parameters. RunError E602 and E605 for data and names
        that cannot be used, if the data do not determine the parameters, or if it does not converge."""
        from cutset.api.runs.fit import fit

        chosen = {**settings, "parameters": self._numbers(given or {})}
        return fit(self, parameters, data, outputs, bounds or {}, priors or {}, tuple(free_start), chosen)

    def _other(self, target: str, initial: Iterable[str]) -> Callable[[], tuple[CompiledModel, Description]]:
        """A function that builds the model without its preferences for states, for a run with these start values."""

        def build_it() -> tuple[CompiledModel, Description]:
            other = self.without_preferences().with_starts(initial)
            return other.build(target), other.description

        return build_it

    def _attempted(self, experiment: Experiment, target: str, now: Vector | None) -> Result | RunError:
        try:
            other = self._other(target, experiment.initial)
            return simulate_changing(self.build(target), other, experiment, self.description, now)
        except RunError as error:
            return error

    def function(
        self,
        kind: str = "numpy",
        outputs: str | Iterable[str] = (),
        parameters: str | Iterable[str] = (),
        residual: bool = False,
    ) -> ModelFunction:
        """The derivatives of the states and chosen variables as a function (t, x, u, p, m, z) -> (dx, y) of time,
        states, inputs, `parameters`, held values (relations and discrete variables, `ModelFunction.modes`) and guesses
        of iterations. `kind` is "numpy" (arrays with any leading axes), "casadi" (a `casadi.Function`), "jax" (a
        function of arrays, for `jit`, `vmap` and derivatives), "sympy" (expressions) or "c" (also files in C).
        `outputs` and `parameters` are names or patterns; without outputs those that the model declares. With `residual`
        the unknowns z of iterations are arguments: (t, dx, x, z, u, p, m) -> (r, y), where r = 0.

        RunError E602 and E607 for unknown names, E604 for a parameter that decides on the equations, E605 for a wrong
        kind or a model without results, E647 for a package that is not installed, E655 for what a kind cannot do.
        """
        from cutset.api.runs.functions import model_function

        return model_function(self, kind, outputs, parameters, residual)

    def mechanics(self, parameters: Mapping[str, Setting] | None = None, target: str = "auto") -> Mechanics:
        """The dynamics and kinematics of the bodies and joints in the model as functions of arrays: mass matrix, bias
        forces, inverse and forward dynamics, poses and Jacobians of frames. RunError E605 if there are no joints of a
        multibody library, other errors as in `simulate`."""
        from cutset.api.mechanics.mechanics import mechanics_of

        given = parameters or {}
        require_known(self.translated.info, elements(self.translated.info, given))
        model = self.with_values(given)
        return mechanics_of(model._observe, model.retranslated, given, target)

    # --- what is in it ---

    def inspect(self) -> dict[str, Any]:
        """The sizes of the translation and the operations of one evaluation, as ``inspect --json`` writes them."""
        return facts_of(self.translated.info.name, self.translated.statistics, self.folded, self.seconds)

    def components(self) -> tuple[Component, ...]:
        """The object and its submodels, parents first, each with its class, place and documentation.

        The first call of this or of `variables` reads the file again; ModelError if the file no longer exists.
        """
        return self._inspection.listing.components

    def variables(self, *patterns: str) -> tuple[ListedVariable, ...]:
        """The scalar variables whose names match one of the patterns (``*`` any text, ``?`` one character); all without
        patterns. RunError E602 for a pattern without a match."""
        from cutset.api.show.listing import select

        nodes = self.translated.description.nodes
        return select(self._inspection.listing.variables, patterns or ("*",), nodes)

    def graph(self, kind: str) -> nx.Graph:
        """A networkx graph of the model: 'connections' of its submodels (MultiGraph), 'topology' of its bodies and
        joints (MultiDiGraph), 'incidence' of equations and variables after index reduction (bipartite Graph), or
        'blocks' in their order (DiGraph). `cutset.api.show.graphs` documents the attributes.
        ValueError for another kind."""
        return self._inspection.graph(kind)

    def equations(self, form: str = "original") -> list[sympy.Eq]:
        """The scalar equations as SymPy equations; symbols have the names of the model. 'original': as written, with
        the equations of connections. 'solved': in the order of evaluation, `unknown = value`, or `0 = residual` for
        iteration variables. ValueError if there is no such form."""
        return self._inspection.equations(form)

    def why(self, *patterns: str) -> tuple[Reason, ...]:
        """How each variable whose name matches is determined, and why: the equation that makes it an alias, that with
        the block from which it is solved, the constraints that make it a state or not. Errors as in `variables`."""
        return self._inspection.why(patterns, self.translated.description.nodes)

    def diagram(self, blocks: bool = False, submodel: str = "", depth: int | None = None, bonds: bool = False) -> str:
        """A picture as SVG: the submodels and their connections, each model a box around its parts, with `bonds=True`
        as a bond graph, or with `blocks=True` the incidence of equations and unknowns in the order of evaluation, with
        the blocks and the iteration variables. `submodel` is a full name: draw only this one; `depth` is the number of
        levels inside it. RunError E602 without such a submodel, E605 for a wrong setting, E648 for over 1000 submodels
        on a level."""
        return self._inspection.diagram(blocks, submodel, depth, bonds)

    @takes(RunSettings)
    def explore(
        self,
        plot: Iterable[str] = (),
        sliders: Sliders = (),
        stop: float | None = None,
        **settings: Unpack[RunSettings],
    ) -> Explorer:
        """For notebooks: sliders, curves and the 3D animation of a run, which follow each other at once. `plot` are
        patterns of the variables to plot at first (default: states). `sliders` are patterns of parameters, states
        (their start values) and inputs (constant), or a dictionary with the limits of each, ``{"R.R": (10, 100)}``
        (default: the parameters of the model itself); all other parameters can be found by name. The settings are those
        of `simulate`. The returned widget has `values`, which Python can set too, and the latest result, `run`.
        RunError as in `simulate`, and E647 if the package anywidget is not installed."""
        from cutset.runtime.optional_packages import need_package

        need_package("anywidget", "sliders in notebooks")
        from cutset.api.notebook.exploration import Exploration
        from cutset.api.notebook.widget import Explorer

        return Explorer(Exploration(self, plot, sliders, stop, settings), repr(self)[1:-1])

    def __repr__(self) -> str:
        count = self.translated.statistics
        return f"<Model {self.name}: {counted(count.equations, 'equation')}, {counted(count.states, 'state')}>"

    def _repr_html_(self) -> str:
        """For notebooks: the parameters and states, with units and documentation."""
        from cutset.api.show.html import model_html

        return model_html(repr(self)[1:-1], self.parameters, self.states, self.translated.description)


def _posed(model: M, known: Mapping[str, Any] | None, find: Iterable[str]) -> Problem[M]:
    """The problem with these quantities known; errors as `prescribed_motion.problem_of`."""
    from cutset.api.runs.prescribed_motion import problem_of

    return problem_of(model, known or {}, find)
