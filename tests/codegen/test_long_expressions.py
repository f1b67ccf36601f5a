"""An expression of any length becomes functions of bounded size, which C compilers translate in linear time."""

from __future__ import annotations

import re

import pytest
from models_from_text import translate

from cutset.compiler.codegen.chunks import CHUNK, MOST_OPERATIONS
from cutset.compiler.codegen.emit import emit

TERMS = 1500
LONG = {
    "one sum": " + ".join(f"sin({k}*x)" for k in range(1, TERMS + 1)),
    "nested": "(" * 150 + "x" + "".join(f" + {k}*sin({k}*x))^2" for k in range(1, 151)),
    "of array elements": " + ".join(f"y({k})*y({k})/{k}" for k in range(1, TERMS + 1)),
}


@pytest.fixture(params=LONG, scope="module")
def program(request):
    text = f"""
    model M
      local x (start=0.1), y({TERMS})
      for k = 1..{TERMS} do
        y(k) = cos(k*time)
      endfor
      der(x) = {LONG[request.param]}
    end
    """
    return translate(text).program


def test_functions_of_c_are_bounded(program) -> None:
    for function in emit(program, "c")["model.c"].split("\nstatic void ")[1:]:
        body = function.split("\n}")[0].replace("(void)", "\0")
        assert body.count(";") - body.count("\0") <= CHUNK
        # Each binary operation and each call has its own brackets; those of the head are no operations.
        assert body.partition("{")[2].count("(") <= MOST_OPERATIONS + CHUNK


def test_lines_of_c_are_short(program) -> None:
    assert max(map(len, emit(program, "c")["model.c"].splitlines())) < 2000


def test_targets_alone_are_cut_too() -> None:
    text = "model M\n  local y(2000)\n  for k = 1..2000 do\n    y(k) = cos(k*time)\n  endfor\nend\n"
    source = emit(translate(text).program, "c")["model.c"]
    assert len(re.findall(r"static void variables_\d+\(", source)) >= 2000 // CHUNK


def test_values_are_those_of_the_sum() -> None:
    values = translate(
        "model M\n  local s, y(900)\n  for k = 1..900 do\n    y(k) = k + 0*time\n  endfor\n"
        f"  s = {' + '.join(f'y({k})*y({k})' for k in range(1, 901))}\nend\n"
    ).values()
    assert values["s"] == sum(k * k for k in range(1, 901))
