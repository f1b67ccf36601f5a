"""Turns a solved system into a function (after stage 5): SolvedSystem and FunctionModel -> SolvedSystem.

The result has no states: its derivatives are the outputs of the function, in terms of its inputs. Some functions are
derivatives of others: a mass matrix is that of the forces by the accelerations, a Jacobian that of the velocity of a
frame by the velocities of the joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutset.compiler.expressions.differentiate import differentiate
from cutset.compiler.expressions.pool import Expr, Pool, Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import Substitution, varying
from cutset.compiler.function.definition import NotAFunction
from cutset.compiler.function.derivatives import derivatives
from cutset.compiler.function.equations import FunctionModel
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, SortedSystem, Start

# How often derivatives of positions are replaced: velocities, then accelerations.
_ROUNDS = 3


def solved_function(solved: SolvedSystem, model: FunctionModel) -> SolvedSystem:
    """The system that computes the outputs. NotAFunction if they depend on more than the inputs."""
    pool, sorted_system = solved.pool, solved.sorted_system
    values = _values(solved)
    replaced = Substitution(pool, values)
    outputs = [replaced(e) for e in model.outputs] + _constraints(pool, model, replaced)
    made = set(sorted_system.inputs).difference(model.inputs, model.by)
    for _ in range(_ROUNDS if made else 0):  # derivatives of inputs that differentiation has made
        again = Substitution(pool, values)
        outputs = [again(e) for e in outputs]
    if model.by:
        rates = {position: replaced(slope) for position, slope in model.slopes.items()}
        try:
            outputs = derivatives(pool, outputs, model, rates)
        except (NotDifferentiable, Undefined) as error:
            raise NotAFunction(f"the outputs have no derivative: {error}") from error
    _check(outputs, model.inputs)
    bare = replace(
        sorted_system.system,
        equations=(),
        unknowns=(),
        inputs=model.inputs,
        derivatives={},
        aliases=(),
        synonyms={},
        positions=(),
        notes=(),
    )
    computed = SortedSystem(bare, (), tuple(outputs), model.inputs, (), sorted_system.differentiated)
    return SolvedSystem(computed, pool, (), solved.linear_systems, solved.nonlinear_systems, solved.pivots)


def no_start() -> Start:
    """The start of a function, which has no states."""
    return Start((), (), (), ())


def no_events() -> SolvedEvents:
    """The events of a function, which has none."""
    return SolvedEvents((), (), (), (), (), (), (), ())


def _values(solved: SolvedSystem) -> dict[Expr, Expr]:
    """The value of each variable that is computed."""
    pool = solved.pool
    values = {a.unknown: a.value for a in solved.assignments}
    for alias in solved.sorted_system.system.aliases:
        values[pool.variable(alias.name)] = Substitution(pool, values)(alias.value)
    return values


def _constraints(pool: Pool, model: FunctionModel, replaced: Substitution) -> list[Expr]:
    """The residuals of the constraints or, in a function of derivatives, their derivatives by time."""
    residuals = [replaced(e) for e in model.residuals]
    if not model.by:
        return residuals
    rates = {position: replaced(slope) for position, slope in model.slopes.items()}
    try:
        return [differentiate(pool, e, lambda v: rates.get(v, pool.zero)) for e in residuals]
    except (NotDifferentiable, Undefined) as error:
        raise NotAFunction(f"a constraint has no derivative: {error}") from error


def _check(outputs: Sequence[Expr], inputs: Sequence[Expr]) -> None:
    """Raise NotAFunction for another leaf than an input."""
    given = set(inputs)
    wrong = next((n for n in varying(outputs) if not n.args and n not in given and n.op != "iterate"), None)
    if wrong is not None:
        raise NotAFunction("it depends on time" if wrong.op == "time" else f"it depends on '{wrong.data}'")
