"""The change of the text that a message proposes removes the message."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.compiler.diagnostics import ModelError
from cutset.server.equations import latex_name
from cutset.server.messages import reported
from cutset.texts import loads

RC = (Path(__file__).parents[2] / "models" / "rc.mo").read_text()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("(Resistor)", "(Resistr)"), ("C(C=", "C(c="), ("@electrical", "@electricl"), ("R(R=", "R(Rr=")],
)
def test_a_remedy_restores_the_text(right: str, wrong: str) -> None:
    text = RC.replace(right, wrong)
    with pytest.raises(ModelError) as error:
        loads(text)
    message = reported(error.value.diagnostics[0])
    remedy = message["remedy"]
    if remedy is None:  # the message proposes no name
        assert "did you mean" not in message["hint"]
        return
    lines = text.split("\n")
    line = lines[remedy["line"] - 1]
    lines[remedy["line"] - 1] = line[: remedy["column"] - 1] + remedy["text"] + line[remedy["end_column"] - 1 :]
    assert "\n".join(lines) == RC


def test_names_in_formulas() -> None:
    assert latex_name("m1.q_start(2)", "m1") == r"q_{\mathrm{start,2}}"
    assert latex_name("der(C.u)", "C") == r"\dot{u}"
    assert latex_name("V.phi", "") == r"\mathrm{V.}\phi"
    assert latex_name(r"a\href{x}", "").startswith(r"\mathtt{")
