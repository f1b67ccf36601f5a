"""Collects what a sampled controller consists of: a translated model -> its code for numbers of a type."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from cutset.api.translated_model import TranslatedModel
from cutset.compiler.codegen.code import Assign, Operation, Read, Value
from cutset.compiler.codegen.emit_c import emit
from cutset.compiler.codegen.fixed_point import NotInFixedPoint, fixed, in_fixed_point
from cutset.compiler.codegen.program import Program
from cutset.compiler.codegen.slices import operators_in, reads, sliced
from cutset.contract.metadata import ModelInfo
from cutset.export.c_folder import c_name
from cutset.export.controller import SampledCode, require_samples
from cutset.runtime.errors import RunError
from cutset.runtime.interface import CompiledModel, Values

_INSIDE = "write the condition as an if inside of 'when sample(...)'"
_LARGEST_SINGLE = 3.4028234e38
_FIXED = re.compile(r"fixed(\d|[12]\d|30)")


def sampled_code(model: TranslatedModel, number: str) -> SampledCode:
    """The code of the controller. RunError E605, E655."""
    fixed_places = _FIXED.fullmatch(number)
    if not fixed_places and number not in ("float", "double"):
        hint = "give float, double, or fixed16 for integers with 16 binary places"
        raise RunError("E605", f"there is no type {number!r} of numbers", hint)
    require_samples(model.translated.info)
    model, compiled, values = model.bound({}, "auto")
    info, places = compiled.info, int(fixed_places[1]) if fixed_places else -1
    outputs = {info.names[name].index for name in info.outputs if info.names[name].array == "y"}
    events = range(info.n_variables, info.n_variables + 2 * len(info.relations) + sum(info.whens))
    program = sliced(
        model.translated.program(), {"variables": {*outputs, *events}, "updates": range(len(info.discrete))}
    )
    program = replace(program, functions=tuple(f for f in program.functions if f.name in ("variables", "updates")))
    if any("random" in op for op in operators_in(program)):
        raise RunError("E655", "a controller has no random numbers, but the model has", "make them inputs")
    _require_sampled_branches(info, program)
    try:
        if places >= 0:
            program = in_fixed_point(program, places)
            for x in (*values.c, *values.s):
                fixed(float(x), places)
        code = emit(program)["model.c"]
    except NotInFixedPoint as error:
        hint = "give a type with fewer binary places, or float"
        raise RunError("E655", f"integers with {places} binary places do not have {error}", hint) from error
    return SampledCode(
        info=info,
        code=code,
        depends_on_time=reads(program, "t"),
        description=model.description,
        name=c_name(info.name),
        number="int32_t" if places >= 0 else number,
        places=places,
        text={"float": _single, "double": repr}.get(number, lambda x: str(fixed(x, places))),
        constants=values.c.tolist(),
        parameters=values.p.tolist(),
        starts=values.s[: len(info.discrete)].tolist(),
        samples=samples_of(info, compiled, values),
    )


def _require_sampled_branches(info: ModelInfo, program: Program) -> None:
    """RunError E655 if a branch of a `when` acts at other events than samples."""
    (variables,) = (f for f in program.functions if f.name == "variables")
    first = info.n_variables + 2 * len(info.relations)
    values = {
        s.target.index: s.value for s in variables.statements() if isinstance(s, Assign) and s.target.array == "y"
    }
    for branch, place in enumerate(info.when_places):
        if first + branch not in values or not _is_sample(values[first + branch], info):
            what = f"'when' acts when a condition becomes true ({place or 'in the library'})"
            raise RunError("E655", f"a controller consists of samples alone, but a {what}", _INSIDE)


def _is_sample(condition: Value, info: ModelInfo) -> bool:
    """True if the condition is true at samples only; the recursion is over the nesting of one statement."""
    match condition:
        case Read(array="m", index=k):
            return k < len(info.relations) and info.relations[k].kind == "sample"
        case Operation(operator="and" | "or" as op, arguments=arguments):
            return (any if op == "and" else all)(_is_sample(a, info) for a in arguments)
    return False


def _single(x: float) -> str:
    """The number, at most the largest one of 32 bits."""
    return f"{max(-_LARGEST_SINGLE, min(x, _LARGEST_SINGLE))!r}f"


def samples_of(info: ModelInfo, compiled: CompiledModel, values: Values) -> list[tuple[float, float]]:
    """First instant and interval of each relation that is a sample."""
    x, u = np.zeros((1, 0)), np.zeros((1, len(info.inputs)))
    m = np.zeros((1, len(info.relations) + len(info.discrete)))
    y = compiled.variables(np.zeros(1), x, u, values, m, values.w[None, : info.n_guesses])[0]
    pairs = y[info.n_variables :][: 2 * len(info.relations)].reshape(-1, 2).tolist()
    return [tuple(pair) if r.kind == "sample" else (0.0, 0.0) for pair, r in zip(pairs, info.relations, strict=True)]
