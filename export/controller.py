"""Writes a sampled controller as one function in C: code of a model of samples alone -> {name of a file: text}.

The function computes one sample; nothing integrates, searches for events or allocates. Its numbers are of the type
double or float, or integers with a fixed number of binary places.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence

from cutset.contract.functions import FUNCTIONS
from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.export.c_folder import file_text, harmless, numbers_text
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.targets.c_files import c_files

_SUPPORT = "cutset_support.h"
_NAME_IN_C = re.compile(r"\bcutset_\w+")
# The functions and structures that the support defines.
_DEFINED = re.compile(
    r"^(?:static inline [^;\n]*?\b|struct )(cutset_\w+)(?:\([^;\n]*?\))?\s*\{(?:[^\n]*\}|.*?^\};?)$", re.M | re.S
)
# Of the support, without a record of why a function has no value; unknowns that are undetermined have none, either.
_OWN = {
    "cutset_solve_open": "#define CUTSET_OPEN_SIZE(n, width) 1\n"
    "#define cutset_solve_open(n, lower, upper, A, b, kept, k) ((void)(kept), cutset_solve(n, lower, upper, A, b))",
    "cutset_fault": "static int cutset_fault;",
    "cutset_fail": "static inline double cutset_fail(int fault) { (void)fault; return NAN; }",
    "cutset_finite": "#define cutset_finite(x) isfinite(x)",
    "cutset_sincos": "static inline void cutset_sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }",
}
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)(?!\w)")
_INTEGRAL = re.compile(r"(?<![\w.])(\d+)\.0(?!\w)")
_IN_C = {row.c or op for op, row in FUNCTIONS.items()} | {"fabs"}
_SCALAR = re.compile(rf"\b({'|'.join(sorted(name for name in _IN_C if not name.startswith('cutset_')))})(?=\()")
_WORD = re.compile(r"(?<![A-Z_a-z])[A-Z]+(?![A-Za-z])")
_LARGEST_RATIO, _NEVER = 1_000_000, 1e300
_INPUTS = "replace the plant by inputs for what is measured, and outputs for what the controller gives"


@dataclass(frozen=True)
class SampledCode:
    """A sampled controller: metadata, the code of `variables` and `updates` in C, whether they depend on time, units
    and documentation, the name in C, the type of the numbers, the binary places of fixed ones (else -1), and a number
    as text in C; the values of constants, parameters, and discrete variables at the start; for each relation its first
    instant and interval, zero if it is no sample."""

    info: ModelInfo
    code: str
    depends_on_time: bool
    description: Description
    name: str
    number: str
    places: int
    text: Callable[[float], str]
    constants: Sequence[float]
    parameters: Sequence[float]
    starts: Sequence[float]
    samples: Sequence[tuple[float, float]]


def require_samples(info: ModelInfo) -> None:
    """RunError E655 if a model does not consist of samples alone."""
    has_samples = any(relation.kind == "sample" for relation in info.relations)
    for is_wrong, what, hint in (
        (info.states, f"the states {', '.join(info.states[:3])}", _INPUTS),
        (info.delays, f"the delays {', '.join(info.delays[:3])}", "keep past samples in discrete variables"),
        (info.externals, "functions in Python or C, or FMUs", "write them as functions of the language"),
        (info.iterations, "equations that are solved by iteration", "solve them for their unknowns"),
        (not has_samples, "no sample", "write: when sample(0, T) then ... endwhen"),
    ):
        if is_wrong:
            raise RunError("E655", f"a controller consists of samples alone, but the model has {what}", hint)


def controller_files(code: SampledCode) -> dict[str, str]:
    """The header and the source."""
    words = _words(code)
    filled = {
        f"{code.name}.{suffix}": _WORD.sub(lambda word: words.get(word[0], word[0]), file_text(f"controller.{suffix}"))
        for suffix in ("h", "c")
    }
    return {name: re.sub(r"\n\s*\n(?=\s*\n|    [^ ])", "\n", text) for name, text in filled.items()}


def _words(code: SampledCode) -> dict[str, str]:
    info, number = code.info, code.number
    base, first, clock = _clock(code)
    held, conditions = len(info.relations), info.n_variables + 2 * len(info.relations)
    one = code.text(1.0)
    agree = [f"changed |= (m[{k}] != 0) != ({each}); m[{k}] = ({each}) ? {one} : 0;" for k, each in _relations(info)]
    sizes = {
        "MEMORY": len(info.discrete), "GIVEN": len(info.inputs), "RESULTS": len(info.outputs),
        "BRANCHES": sum(info.whens), "WORK": info.n_work, "COMPUTED": conditions + sum(info.whens),
    }  # fmt: skip
    results = [f"result[{k}] = {_result(code, name)};" for k, name in enumerate(info.outputs)]
    lines = {
        "AGREE": agree, "BEGIN": [f"m[{k}] = ({_acts(*each)}) ? {one} : 0;" for k, each in clock.items()],
        "ACT": list(_actions(info, conditions)), "END": [f"m[{k}] = 0;" for k in clock], "RESULT": results,
    }  # fmt: skip
    return {
        "NAME": code.name, "TITLE": harmless(info.name), "TYPE": number, "NUMBERS": _numbers(code), "CODE": _code(code),
        "KIND": f"integers: n is {2.0**-code.places!r}*n" if code.places >= 0 else f"of the type {number}",
        "INTERVAL": repr(base), "FIRST": repr(first), "HELD": str(held), "PASSES": str(len(agree) + 2),
        "TIME": "0" if code.places >= 0 else f"({number})({first!r} + {base!r} * s->count)",
        "CONSTANTS": ", ".join(map(code.text, code.constants)) or "0",
        "STARTS": ", ".join(map(code.text, code.starts)) or "0", "NEXT": _next(code, clock),
        **{word: str(max(1, size)) for word, size in sizes.items()},
        **{word: f"\n{' ' * (4 if word in ('BEGIN', 'RESULT') else 8)}".join(own) for word, own in lines.items()},
    }  # fmt: skip


def _clock(code: SampledCode) -> tuple[float, float, dict[int, tuple[int, int]]]:
    """The shortest interval of all samples and the first instant; of each relation that is a sample every how many of
    these intervals it acts, and from which on. RunError E655 if that is no whole number."""
    samples = {k: each for k, each in enumerate(code.samples) if each[1] > 0.0}
    if any(max(each) >= _NEVER for each in samples.values()):
        hint = "give the discrete variables start values"
        raise RunError("E655", "a controller consists of samples alone, but a 'when' acts at the start", hint)
    base, first = min(interval for _, interval in samples.values()), min(start for start, _ in samples.values())
    found = {}
    for k, (start, interval) in samples.items():
        exact = interval / base, (start - first) / base
        found[k] = every, begin = round(exact[0]), round(exact[1])
        if max(abs(exact[0] - every), abs(exact[1] - begin)) > 1e-9 or max(every, begin) > _LARGEST_RATIO:
            what = f"samples every {interval:g} s from {start:g} s on, and every {base:g} s from {first:g} s on"
            hint = "make the interval, and the difference of the first instants, multiples of the shortest interval"
            raise RunError("E655", f"a controller has one clock, but the model has {what}", hint)
    return base, first, found


def _acts(every: int, begin: int) -> str:
    at_begin = f"s->count >= {begin}u" if begin else ""
    turn = f"(s->count - {begin}u) % {every}u == 0" if every > 1 else ""
    return " && ".join(part for part in (at_begin, turn) if part) or "1"


def _next(code: SampledCode, clock: dict[int, tuple[int, int]]) -> str:
    """The count of samples begins anew before it becomes too large, unless time depends on it."""
    begin, period = max(each[1] for each in clock.values()), math.lcm(*(each[0] for each in clock.values()))
    if code.depends_on_time or begin + period >= 2**32:
        return "s->count++;"
    return f"if (++s->count == {begin + period}u) s->count = {begin}u;"


def _relations(info: ModelInfo) -> Iterator[tuple[int, str]]:
    for k, relation in enumerate(info.relations):
        if relation.kind in ("state", "time"):
            left, right = (f"y[{info.n_variables + 2 * k + side}]" for side in (0, 1))
            yield k, f"{left} {'!=' if relation.operator in ('<>', '') else relation.operator} {right}"


def _actions(info: ModelInfo, conditions: int) -> Iterator[str]:
    """Of the branches of a `when` the first whose condition is true acts."""
    branch = 0
    for count in info.whens:
        for k in range(branch, branch + count):
            before = "".join(f" && f[{other}] == 0" for other in range(branch, k))
            yield f"f[{k}] = y[{conditions + k}] != 0{before};"
        branch += count


def _result(code: SampledCode, name: str) -> str:
    slot = code.info.names[name]
    sign = "-" if slot.sign < 0 else ""
    if slot.array == "p":
        return code.text(slot.sign * code.parameters[slot.index])
    return f"{sign}{'given' if slot.array == 'u' else slot.array}[{slot.index}]"


def _numbers(code: SampledCode) -> str:
    lists = {"INPUT": code.info.inputs, "OUTPUT": code.info.outputs}
    return "\n".join(
        line
        for kind, names in lists.items()
        for line in numbers_text(code.name, code.description, kind, names, {name: k for k, name in enumerate(names)})
    )


def _code(code: SampledCode) -> str:
    """The code of the model, with what it uses of the support, for numbers of another type."""
    body = re.sub(r'^#include "[\w.]+"\n+', "", code.code, flags=re.M)
    body = re.sub(r"^(?:CUTSET_ONCE )?void cutset_(?=variables|updates)", "static void ", body, flags=re.M)
    text = "".join(_needed(body)) + body
    if code.places >= 0:
        fixed = f"#define FIXED_PLACES {code.places}\n\n{file_text('fixed_point.h')}"
        text = f"{fixed}\n{_INTEGRAL.sub(lambda found: found[1], text)}"
    elif code.number == "float":
        text = _SCALAR.sub(r"\1f", _NUMBER.sub(lambda found: f"{found[0]}f", text))
    return re.sub(r"\bdouble\b", code.number, text.replace("CUTSET_SHARED ", ""))


def _needed(body: str) -> Iterator[str]:
    """The definitions of the support that the code uses, in their order."""
    defined = _OWN | {match[1]: match[0] for match in _DEFINED.finditer(c_files()[_SUPPORT]) if match[1] not in _OWN}
    left, used = [body], set[str]()
    while left:
        found = {name for name in _NAME_IN_C.findall(left.pop()) if name in defined} - used
        used |= found
        left += [defined[name] for name in found]
    return (f"{definition}\n\n" for name, definition in defined.items() if name in used)
