"""What an editor shows of arrays of cuts and of submodels in two dimensions: their sizes, names and places."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol.types import Position

from cutset.api.translate.translation import options_of
from cutset.lsp import completion, hover, rename
from cutset.lsp.session import Session

TEXT = """cut class Pin (V(unit="V") / i(unit="A"))
model class Part
  parameter n = 3
  main cut (Pin) p(n) (V / i), q(n + 1) ()
end
model M
  submodel (Part) r(2,3), s
  node m(3)
  local x(2)
  connect r(1,2):p(1..2) to s:p(2..3), m(1) to s:p(1)
  x = r(:,2).V(1)
  connect r(2,1):
  x = r(1,1).
end
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    found = Session(options_of((), in_editor=True).cache)
    found.folders = [str(tmp_path)]
    found.open(str(tmp_path / "m.mo"), TEXT)
    return found


def at(pattern: str, offset: int = 0) -> Position:
    before = TEXT[: TEXT.index(pattern) + offset]
    return Position(before.count("\n"), len(before.rpartition("\n")[2]))


@pytest.mark.parametrize(
    "pattern, offset, shown, line",
    [
        ("p(1..2)", 0, "cut (Pin) p(n)", 3),
        ("s:p(2..3)", 2, "cut (Pin) p(n)", 3),
        ("q(n + 1)", 0, "cut (Pin) q(n + 1)", 3),
        ("r(:,2)", 0, "submodel (Part) r(2, 3)", 6),
        ("r(:,2).V(1)", 7, "V(n)", 3),
        ("m(1)", 0, "node m(3)", 7),
    ],
)
def test_an_element_is_its_array(session: Session, pattern: str, offset: int, shown: str, line: int) -> None:
    (index,) = filter(None, [session.index(path) for path in session.texts])
    told, place = (
        hover.hover(session, index, at(pattern, offset)),
        hover.definition(session, index, at(pattern, offset)),
    )
    assert told is not None and f"```cutset\n{shown}" in told.contents.value  # type: ignore[union-attr]
    assert place is not None and place.range.start.line == line


def test_names_behind_an_element_are_proposed_and_all_uses_renamed(session: Session) -> None:
    (index,) = filter(None, [session.index(path) for path in session.texts])
    for pattern, names in (("r(2,1):", {"p", "q"}), ("r(1,1).", {"n", "V", "i"})):
        found = completion.completion(session, index, at(pattern, len(pattern)))
        assert {item.label for item in found.items} == names
    edits = rename.rename(session, index, at("p(1..2)"), "pins")
    assert edits is not None and edits.changes is not None
    assert [len(changed) for changed in edits.changes.values()] == [4]
