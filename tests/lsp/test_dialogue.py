"""A dialogue with `cutset lsp`, started as an editor starts it: every request, over models and libraries.

    .venv/bin/python tests/lsp/test_dialogue.py

has the dialogue about all files of the standard library and all models; the tests take some of them.
"""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

import pytest
from editor import Editor, document, uri_of
from lsprotocol import types
from lsprotocol.types import Position, Range
from pygls.exceptions import JsonRpcException

from cutset.api.translate.translation import check_file, options_of
from cutset.compiler.diagnostics import ModelError, Source
from cutset.lsp.scan import Scan

ROOT = Path(__file__).parents[2]
RC = (ROOT / "models" / "rc.mo").read_text(encoding="utf-8")
USER = """@electrical

model class Divider "two resistors"
  parameter R1 (unit="Ohm") = 100 "upper resistance"
  submodel (Resistor) upper(R=R1), lower(R=50)
  cut (Pin) A (Va / ia), B (Vb / ib)
  connect A to upper to lower to B
end

function twice(x) result y "two times x"
  y := 2*x
end

model Circuit "𝄞 a divider"
  submodel (VConst) source(V=twice(5))
  submodel (Divider) divider(R1=200)
  submodel (Ground) g
  connect source:A to divider:A, source:B to divider:B, g at source:B
end
"""

OTHER = """@user
model class (Resistor) Sheet
  parameter R = 5
end
model Other
  submodel (Divider) d(R1=3, upper.R=4, lower=Sheet)
  submodel (VConst) v(V=1)
  submodel (Ground) g
  connect v:A to d:A, v:B to d:B, g at v:B
end
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("workspace").resolve()
    shutil.copy(ROOT / "models" / "rc.mo", found)
    (found / "user.mo").write_text(USER, encoding="utf-8")
    (found / "other.mo").write_text(OTHER, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def editor(folder: Path):
    found = Editor(folder)
    yield found
    assert found.quit() == 0


@pytest.fixture(scope="module")
def user(editor: Editor, folder: Path) -> Path:
    editor.open(folder / "user.mo")
    assert editor.diagnostics(folder / "user.mo") == []
    return folder / "user.mo"


def place(text: str, pattern: str, offset: int = 0) -> tuple[int, int]:
    """The line and the character, in UTF-16, of a pattern in a text."""
    before = text[: text.index(pattern) + offset]
    line = before.rpartition("\n")[2]
    return before.count("\n"), len(line.encode("utf-16-le")) // 2


def text_of(edits: list[types.TextEdit], text: str) -> str:
    """The text after edits, in reverse order of their places."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:k]) for k in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        first = starts[edit.range.start.line] + edit.range.start.character
        last = starts[edit.range.end.line] + edit.range.end.character
        text = text[:first] + edit.new_text + text[last:]
    return text


def test_a_mistake_is_shown_while_one_types_and_its_remedy_applied(editor: Editor, folder: Path) -> None:
    path = folder / "rc.mo"
    editor.open(path)
    assert editor.diagnostics(path) == []
    wrong = RC.replace("(Resistor)", "(Resister)")
    editor.type(path, wrong)
    (found,) = editor.wait_for(path, bool)
    line, character = place(wrong, "Resister")
    assert found.range == Range(Position(line, character), Position(line, character + 8))
    assert (found.code, found.source) == ("E205", "cutset")
    assert found.message == "unknown class 'Resister'\nin: RC\nhelp: did you mean 'Resistor'?"
    context = types.CodeActionContext([found])
    (action,) = editor.ask(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionParams(document(path), found.range, context)
    )
    assert action.title == "Replace 'Resister' by 'Resistor'" and action.is_preferred
    assert text_of(action.edit.changes[uri_of(path)], wrong) == RC
    editor.type(path, RC)
    editor.wait_for(path, lambda shown: not shown)


def test_a_missing_library_is_included_by_a_code_action(editor: Editor, folder: Path) -> None:
    path = folder / "new.mo"
    text = "model M\n  submodel (Resistor) R(R=1)\nend\n"
    editor.open(path, text)
    (found,) = editor.wait_for(path, bool)
    params = types.CodeActionParams(document(path), found.range, types.CodeActionContext([found]))
    actions = editor.ask(types.TEXT_DOCUMENT_CODE_ACTION, params)
    assert [action.title for action in actions] == ["Include @electrical"]
    assert text_of(actions[0].edit.changes[uri_of(path)], text) == "@electrical\n\n" + text
    editor.close(path)
    editor.wait_for(path, lambda shown: not shown)


def test_unsaved_text_of_an_included_file_counts(editor: Editor, folder: Path, user: Path) -> None:
    other = folder / "other.mo"
    editor.open(other)
    assert editor.diagnostics(other) == []
    editor.type(user, USER.replace("R1", "Rx"))
    assert "has no parameter 'R1'" in editor.wait_for(other, bool)[0].message
    editor.type(user, USER)
    editor.wait_for(other, lambda shown: not shown)
    editor.close(other)


def test_hover_tells_unit_value_and_place(editor: Editor, user: Path) -> None:
    answer = editor.at(types.TEXT_DOCUMENT_HOVER, user, *place(USER, "R1=200"))
    text = answer.contents.value
    assert 'parameter R1 (unit="Ohm") = 100' in text and "upper resistance" in text
    assert (
        "unit: `Ohm`, value: `100`, scalar" in text and "parameter of `Divider`, declared in `user.mo`, line 4" in text
    )
    text = editor.at(types.TEXT_DOCUMENT_HOVER, user, *place(USER, "VConst")).contents.value
    assert "constant voltage" in text and "the library `electrical`" in text
    assert "twice(x) result y" in editor.at(types.TEXT_DOCUMENT_HOVER, user, *place(USER, "twice(5)")).contents.value


def test_definition_and_references_cross_files(editor: Editor, folder: Path, user: Path) -> None:
    where = editor.at(types.TEXT_DOCUMENT_DEFINITION, user, *place(USER, "Resistor"))
    assert where.uri.endswith("stdlib/electrical.mo")
    line, character = place(USER, "R1 (unit")
    params = types.ReferenceParams(types.ReferenceContext(True), document(user), Position(line, character))
    found = editor.ask(types.TEXT_DOCUMENT_REFERENCES, params)
    names = sorted((Path(each.uri).name, each.range.start.line) for each in found)
    assert names == [("other.mo", 5), ("user.mo", 3), ("user.mo", 4), ("user.mo", 15)]
    assert len(editor.at(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, user, line, character)) == 3
    of_type = editor.at(types.TEXT_DOCUMENT_TYPE_DEFINITION, user, *place(USER, "upper(R"))
    assert of_type.uri.endswith("stdlib/electrical.mo")


def test_rename_changes_all_files_but_never_the_library(editor: Editor, folder: Path, user: Path) -> None:
    line, character = place(USER, "Divider)", 3)
    prepared = editor.at(types.TEXT_DOCUMENT_PREPARE_RENAME, user, line, character)
    assert prepared.placeholder == "Divider"
    edit = editor.ask(
        types.TEXT_DOCUMENT_RENAME, types.RenameParams(document(user), Position(line, character), "Split")
    )
    assert text_of(edit.changes[uri_of(user)], USER) == USER.replace("Divider", "Split")
    assert len(edit.changes[uri_of(folder / "other.mo")]) == 1
    params = types.RenameParams(document(user), Position(line, character), "node 3+")
    quoted = text_of(editor.ask(types.TEXT_DOCUMENT_RENAME, params).changes[uri_of(user)], USER)
    assert quoted == USER.replace("Divider", "'node 3+'")
    for pattern, name, reason in (
        ("Resistor", "Other", "belongs to the standard library"),
        ("Divider)", "a'b", "is not a name"),
        ("Divider)", "Circuit", "already declared"),
        ("R1 (unit", "A", "already declared"),
        ("R1 (unit", "upper", "already declared"),
    ):
        params = types.RenameParams(document(user), Position(*place(USER, pattern)), name)
        with pytest.raises(JsonRpcException, match=reason):
            editor.ask(types.TEXT_DOCUMENT_RENAME, params)


def test_names_of_submodels_inside_are_names(editor: Editor, folder: Path, user: Path) -> None:
    """`upper.R=4` and `lower=Sheet` name submodels of the class, a parameter of theirs, and a class."""
    params = types.RenameParams(document(user), Position(*place(USER, "upper(R")), "above")
    edit = editor.ask(types.TEXT_DOCUMENT_RENAME, params)
    assert text_of(edit.changes[uri_of(folder / "other.mo")], OTHER) == OTHER.replace("upper", "above")
    editor.open(folder / "other.mo")
    for pattern, shift, word in (
        ("upper.R", 6, 'parameter R (unit="Ohm")'),
        ("lower=", 7, "model class (Resistor) Sheet"),
    ):
        text = editor.at(types.TEXT_DOCUMENT_HOVER, folder / "other.mo", *place(OTHER, pattern, shift)).contents.value
        assert word in text
    editor.close(folder / "other.mo")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  submodel (Res", {"Resistor", "Divider"}),
        ("  submodel (Resistor) r(", {"R"}),
        ("  submodel (VStep) r(V=1, ", {"V0", "t0"}),
        ("  connect source:", {"A", "B"}),
        ("  connect source:A ", {"to", "at", "par"}),
        ("  connect ", {"source", "divider", "g"}),
        ("  x = divider.", {"R1", "upper"}),
        ("  x = 1 + ", {"sin", "der", "twice", "time", "source"}),
        ("  para", {"parameter", "connect", "when"}),
        ("  when time > 1 then\n  ", {"endwhen", "elsewhen"}),
        ("  parameter p (", {"unit", "min", "start"}),
        ("  experiment (stop=2, ", {"rtol", "method"}),
        ("  cut (", {"Pin"}),
        ("  local (", {"Real", "Integer"}),
        ("end\n\n", {"model", "function"}),
        ("end\n@elec", {"electrical", "mbs", "rc"}),
    ],
)
def test_completion(editor: Editor, user: Path, line: str, expected: set[str]) -> None:
    text = USER.removesuffix("end\n") + line
    editor.type(user, text)
    end = place(text + "¶", "¶")
    found = {item.label for item in editor.at(types.TEXT_DOCUMENT_COMPLETION, user, *end).items}
    assert expected <= found
    editor.type(user, USER)


def test_completion_is_silent_in_comments(editor: Editor, user: Path) -> None:
    text = USER + "{ a comment "
    editor.type(user, text)
    assert editor.at(types.TEXT_DOCUMENT_COMPLETION, user, *place(text + "¶", "¶")).items == ()
    editor.type(user, USER)


@pytest.mark.parametrize(
    ("line", "label", "active"),
    [
        ("  x = atan2(1, ", "atan2(y, x)", 1),
        ("  x = twice(", "twice(x)", 0),
        ("  submodel (VStep) v(V0=1, t0=", "VStep(ac=0, V0=0, V, t0=0)", 3),
        ("  submodel (Divider) d(", "Divider(R1=100)", 0),
    ],
)
def test_signature(editor: Editor, user: Path, line: str, label: str, active: int) -> None:
    text = USER.removesuffix("end\n") + line
    editor.type(user, text)
    found = editor.at(types.TEXT_DOCUMENT_SIGNATURE_HELP, user, *place(text + "¶", "¶"))
    assert (found.signatures[0].label, found.active_parameter) == (label, active)
    editor.type(user, USER)


def test_outline_folding_hints_and_tokens(editor: Editor, user: Path) -> None:
    symbols = editor.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(document(user)))
    assert [(s.name, len(s.children)) for s in symbols] == [("Divider", 9), ("twice", 2), ("Circuit", 3)]
    folds = editor.ask(types.TEXT_DOCUMENT_FOLDING_RANGE, types.FoldingRangeParams(document(user)))
    assert {(2, 7), (9, 11), (13, 18)} <= {(fold.start_line, fold.end_line) for fold in folds}
    whole = Range(Position(0, 0), Position(30, 0))
    hints = editor.ask(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(document(user), whole))
    assert [(hint.label, hint.position.line) for hint in hints] == [("Ohm", 4), ("Ohm", 15)]
    data = editor.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(document(user))).data
    assert len(data) % 5 == 0 and len(data) > 300
    found = editor.ask(types.WORKSPACE_SYMBOL, types.WorkspaceSymbolParams("divid"))
    assert found[0].name == "Divider"


def test_tokens_of_a_range_are_those_of_its_lines(editor: Editor, user: Path) -> None:
    def absolute(data: list[int]) -> list[tuple[int, ...]]:
        """(line, character, length, kind, modifiers) of each token."""
        found, line, character = [], 0, 0
        for k in range(0, len(data), 5):
            line, character = line + data[k], data[k + 1] + (0 if data[k] else character)
            found.append((line, character, *data[k + 2 : k + 5]))
        return found

    of_file = editor.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(document(user)))
    params = types.SemanticTokensRangeParams(document(user), Range(Position(3, 0), Position(5, 0)))
    of_range = editor.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, params)
    expected = [token for token in absolute(of_file.data) if 3 <= token[0] <= 5]
    assert absolute(of_range.data) == expected and len(expected) > 15


def test_files_that_others_write_are_read_again(editor: Editor, folder: Path, tmp_path: Path) -> None:
    inner, root = folder / "part.mo", folder / "whole.mo"
    inner.write_text("model class Part\n  terminal y\n  y = time\nend\n", encoding="utf-8")
    editor.open(root, "@part\nmodel Whole\n  submodel (Part) p\nend\n")
    assert editor.diagnostics(root) == []
    inner.write_text("model class Other\n  terminal y\n  y = time\nend\n", encoding="utf-8")
    change = types.FileEvent(uri_of(inner), types.FileChangeType.Changed)
    editor.tell(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.DidChangeWatchedFilesParams([change]))
    assert [each.code for each in editor.wait_for(root, bool)] == ["E205"]
    inner.write_text("model class Part\n  local y\n  y = 2*time\nend\n", encoding="utf-8")
    editor.tell(types.TEXT_DOCUMENT_DID_SAVE, types.DidSaveTextDocumentParams(document(root)))
    editor.wait_for(root, lambda shown: not shown)
    editor.close(root)
    (tmp_path / "added.mo").write_text("model class AddedClass\nend\n", encoding="utf-8")
    event = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(uri_of(tmp_path), "added")], [])
    editor.tell(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, types.DidChangeWorkspaceFoldersParams(event))
    found = editor.ask(types.WORKSPACE_SYMBOL, types.WorkspaceSymbolParams("addedclass"))
    assert [each.name for each in found] == ["AddedClass"]


def test_format_equals_the_command(editor: Editor, user: Path) -> None:
    untidy = USER.replace("  parameter R1", " parameter   R1").replace("\n\nfunction", "\nfunction").rstrip("\n")
    editor.type(user, untidy)
    options = types.FormattingOptions(2, True)
    edits = editor.ask(types.TEXT_DOCUMENT_FORMATTING, types.DocumentFormattingParams(document(user), options))
    assert text_of(edits, untidy) == USER
    editor.type(user, USER)


def test_positions_can_count_bytes(folder: Path) -> None:
    general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8])
    editor = Editor(folder, types.ClientCapabilities(general=general))
    assert editor.initialized.capabilities.position_encoding == "utf-8"
    path = folder / "bytes.mo"
    editor.open(path, "model M\n  local x\n  {𝄞} y = 1; x = 2\nend\n")
    found = editor.wait_for(path, bool)
    assert [each.range.start.character for each in found if each.code == "E211"] == [9]
    assert editor.quit() == 0


def sampled() -> list[Path]:
    """Some files of the standard library, and a model."""
    libraries = sorted((ROOT / "stdlib").rglob("*.mo"))
    return [*libraries[::23], ROOT / "models" / "four_bar.mo"]


@pytest.mark.parametrize("path", sampled(), ids=lambda path: path.name)
def test_any_file(editor: Editor, path: Path) -> None:
    ask_everything(editor, path, every=199)


def ask_everything(editor: Editor, path: Path, every: int) -> None:
    """Open a file, compare its messages with those of the command, and ask about each `every`-th word."""
    editor.open(path)
    shown = editor.diagnostics(path)
    options = options_of((), in_editor=True)
    try:
        checked = check_file(path, None, options)
        expected = [(label.text, label.span) for each in checked.objects for label in each.loose]
        expected += [(remark, None) for each in checked.objects for remark in each.remarks]
    except ModelError as error:
        expected = [(each.message, each.span) for each in error.diagnostics]
    lines = [(0 if span is None else span.line - 1, message.partition("\n")[0]) for message, span in expected]
    assert {(each.range.start.line, each.message.partition("\n")[0]) for each in shown} == set(lines)
    scan = Scan(Source(str(path), path.read_text(encoding="utf-8")))
    for lexeme in islice(scan.lexemes, 0, None, every):
        at = (lexeme.span.line - 1, lexeme.span.column - 1)
        for method in (
            types.TEXT_DOCUMENT_HOVER,
            types.TEXT_DOCUMENT_DEFINITION,
            types.TEXT_DOCUMENT_COMPLETION,
            types.TEXT_DOCUMENT_SIGNATURE_HELP,
            types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
        ):
            editor.at(method, path, *at)
    editor.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(document(path)))
    editor.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(document(path)))
    editor.ask(types.TEXT_DOCUMENT_FOLDING_RANGE, types.FoldingRangeParams(document(path)))
    editor.close(path)


def main() -> None:
    """The dialogue about all files."""
    editor = Editor(ROOT)
    for path in [*sorted((ROOT / "stdlib").rglob("*.mo")), *sorted((ROOT / "models").rglob("*.mo"))]:
        ask_everything(editor, path, every=97)
        print(path.relative_to(ROOT), flush=True)
    assert editor.quit() == 0


if __name__ == "__main__":
    main()
