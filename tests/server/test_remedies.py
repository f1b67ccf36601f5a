"""The change of the text that a message proposes removes the message."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.api.texts import loads
from cutset.compiler.diagnostics import Diagnostic, Edit, Hint, ModelError, Source, Span
from cutset.lsp.remedies import remedies_of
from cutset.server.equations import latex_name
from cutset.server.messages import reported

RC = (Path(__file__).parents[2] / "models" / "rc.mo").read_text()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("(Resistor)", "(Resistr)"), ("C(C=", "C(c="), ("@electrical", "@electricl"), ("R(R=", "R(Rr="),
     ("node n0", "{\U0001f916} nod n0"), ("@electrical\n", "\n")],
)  # fmt: skip
def test_a_remedy_restores_the_text(right: str, wrong: str) -> None:
    """Its offsets are those of a page, in UTF-16."""
    text = RC.replace(right, wrong)
    with pytest.raises(ModelError) as error:
        loads(text)
    message = reported(error.value.diagnostics[0])
    remedy = message["remedies"][0]
    units = text.encode("utf-16-le")
    before, old, after = (
        units[2 * first : 2 * last].decode("utf-16-le")
        for first, last in ((0, remedy["from"]), (remedy["from"], remedy["to"]), (remedy["to"], len(units)))
    )
    assert old == remedy["old"]
    if wrong != "\n":
        assert (before + remedy["text"] + after).replace("{\U0001f916} ", "") == RC
    loads(before + remedy["text"] + after)


def test_a_declaration_gets_its_own_line() -> None:
    source = Source("m.mo", "model A  # a\n  x = 1\nend\n")
    hint = Hint("declare it", Edit("declare", "local x"))
    (found,) = remedies_of(Diagnostic("E211", "unknown", Span(source, 2, 3, 2, 4), hint))
    text = source.text[: found.first] + found.text + source.text[found.last :]
    assert text == "model A  # a\n  local x\n  x = 1\nend\n"


def test_names_in_formulas() -> None:
    assert latex_name("m1.q_start(2)", "m1") == r"q_{\mathrm{start,2}}"
    assert latex_name("der(C.u)", "C") == r"\dot{u}"
    assert latex_name("V.phi", "") == r"\mathrm{V.}\phi"
    assert latex_name(r"a\href{x}", "").startswith(r"\mathtt{")
