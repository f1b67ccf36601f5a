"""The change of the text that a message proposes removes the message."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_edits import Quiet
from test_dialogue import text_of

from cutset.api.translate.editor_checks import EditorCheck
from cutset.lsp import report
from cutset.lsp.session import Session

MODEL = """@electrical
model M "a circuit"
  parameter c (unit="N.m/rad", min=2) = 3
  submodel (VConst) V(V=5)
  submodel (Resistor) R(R=10)
  submodel (Ground) g
  connect g to V to R to g
end
"""


@pytest.mark.parametrize(
    ("right", "wrong", "title"),
    [
        ("N.m/rad", "Nm/rad", """Write '"N.m/rad"'"""),
        ("parameter", "paramter", "Replace 'paramter' by 'parameter'"),
        ("R(R=10)", "R(1.5)", "Write 'R = 1.5'"),
        (", min", " min", "Write ', min'"),
        ("(Resistor)", "(resistor)", "Replace 'resistor' by 'Resistor'"),
        ("unit=", "unti=", "Replace 'unti' by 'unit'"),
        ("@electrical\n", "", "Include @electrical"),
    ],
)
def test_an_action_removes_its_message(right: str, wrong: str, title: str, tmp_path: Path) -> None:
    path = str(tmp_path.resolve() / "m.mo")
    text = MODEL.replace(right, wrong)
    session = Session()
    session.open(path, text)
    check = EditorCheck(session)
    found = check(path, session.unsaved(), Quiet())
    message = found.messages[0]
    assert message.span is not None
    (action, *_) = report.code_actions(session, path, report.range_of(session, message.span), [found])
    assert action.title == title and action.edit is not None and action.edit.changes is not None
    (edits,) = action.edit.changes.values()
    session.open(path, text_of(list(edits), text))
    assert check(path, session.unsaved(), Quiet()).messages == ()
