"""The form of the derivatives for several runs at a time: which models have it, and what it contains."""

import pytest
from models_from_text import translate

from cutset.compiler.codegen.emit_lanes import emit


def lanes_of(body: str) -> str | None:
    """The text of lanes.c, if the model has one."""
    return emit(translate(f"model M\n{body}end\n").program).get("lanes.c")


def test_the_derivatives_are_written_for_vectors():
    text = lanes_of("  parameter p = 2\n  local x (start=1)\n  der(x) = -p*exp(x)*sin(x)\n")
    assert text is not None
    head, _, body = text.partition("#define double cutset_lane\n")
    assert head.startswith('#include "lanes.h"\n') and "cutset_derivatives(" in body
    assert "const cutset_constant *restrict c" in body and "const double *restrict c" not in body
    # What the file renames in the model's own code is itself again at the end.
    defined = {line.split()[1].partition("(")[0] for line in head.splitlines() if line.startswith("#define")}
    undefined = {line.split()[1] for line in body.splitlines() if line.startswith("#undef")}
    ours = {"cutset_derivatives", "cutset_sincos", "cutset_solve"}
    assert defined == {"exp", "sin"} | ours and undefined == {"exp", "sin", "double"}
    assert "lane_exp(cutset_lane a)" in head and "lane_sin(cutset_lane a)" not in head  # lanes.h has sines
    assert body.rstrip().endswith('#include "lane_steps.h"')


@pytest.mark.parametrize(
    "body",
    [
        "  local x (start=1)\n  der(x) = if x > 0 then -1 else 1\n",
        "  local x (start=1), n\n  der(x) = -x\n  when x < 0.5 then\n    new(n) = 1\n  endwhen\n",
        "  local x (start=1), y (start=1)\n  der(x) = -y\n  y^3 + y = x\n",
        "  local x (start=1), y (start=1)\n  der(x) = -x\n  y^3 + y = x\n",
        "  local x (start=1)\n  der(x) = interp1(x, [0, 1, 2], [0, 3, 4])\n",
        "  local x (start=1)\n  der(x) = -delay(x, 1)\n",
        '  local x (start=1)\n  der(x) = -x\n  assert noevent(x > -1), "x is positive"\n',
        "  local x\n  x = sin(time)\n",
    ],
    ids=["relation", "when", "iteration", "iteration beside", "table", "delay", "assertion", "no state"],
)
def test_models_without_that_form(body: str):
    assert lanes_of(body) is None
