"""The grammars for editors have the words of the compiler, and no file of the standard library is an error in them."""

from __future__ import annotations

import json
import logging
import re
import sys
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Generic, Keyword, Operator
from textmate_grammar.parsers.base import LanguageParser

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.parse import parse
from cutset.lsp.words import keywords

ROOT = Path(__file__).parents[2]
VSCODE = ROOT / "editors" / "vscode"
STDLIB = sorted((ROOT / "stdlib").rglob("*.mo"))
sys.path.insert(0, str(ROOT / "editors"))

import make_grammars  # noqa: E402


@pytest.mark.parametrize("path", make_grammars.FILES, ids=lambda path: path.name)
def test_what_is_made_from_the_tables(path: Path, agrees) -> None:
    agrees(make_grammars.FILES[path](path.read_text(encoding="utf-8")), path)


def test_a_missing_word_is_noticed(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["make_grammars.py", "--check"])
    assert make_grammars.main() == 0
    monkeypatch.setattr(make_grammars, "builtin_names", lambda: ["sin"])
    assert make_grammars.main() == 1 and "highlights.scm is out of date" in capsys.readouterr().out


def test_each_keyword_has_one_group() -> None:
    found = [word for group in keywords().values() for word in group]
    assert sorted(found) == sorted(lexer().words) and len(found) == len(set(found)) > 40


@pytest.fixture(scope="module")
def textmate() -> LanguageParser:
    logging.getLogger("textmate_grammar").setLevel(logging.CRITICAL)
    return LanguageParser(make_grammars.textmate())


def scopes(textmate: LanguageParser, text: str) -> list[tuple[str, str]]:
    """(text, innermost scope) of all tokens."""
    return [(part, names[-1]) for _, part, names in textmate.parse_string(text).flatten()]


# `npm test` in editors/vscode checks all files with the engine of VS Code.
@pytest.mark.parametrize("path", STDLIB[::6], ids=lambda path: path.name)
def test_textmate_finds_no_error(textmate: LanguageParser, path: Path) -> None:
    found = scopes(textmate, path.read_text(encoding="utf-8"))
    assert len(found) > 20 and [part for part, scope in found if scope.startswith("invalid")] == []


def test_scopes(textmate: LanguageParser) -> None:
    found = dict(scopes(textmate, 'model class (TwoPin) R\n  parameter R (unit="Ohm")\n  y = sin(1.5e3) $\nend\n'))
    assert found["model"] == "storage.type.cutset" and found["TwoPin"] == "entity.other.inherited-class.cutset"
    assert found["parameter"] == "storage.modifier.cutset" and found["sin"] == "support.function.cutset"
    assert found["1.5e3"] == "constant.numeric.cutset" and found["$"] == "invalid.illegal.character.cutset"


def test_pygments_knows_the_language() -> None:
    assert type(get_lexer_by_name("cutset")) is type(get_lexer_for_filename("x.mo", "model class X\nend"))
    colors = get_lexer_by_name("cutset")
    for path in STDLIB:
        text = path.read_text(encoding="utf-8")
        tokens = list(colors.get_tokens_unprocessed(text))
        assert "".join(part for _, _, part in tokens) == text
        assert [part for _, kind, part in tokens if kind is Generic.Error] == []
    for word in sorted(lexer().words):
        # A name may be called `closed`.
        (_, kind, _), *_ = colors.get_tokens_unprocessed(f"{word} x" if word == "closed" else word)
        assert kind in (Keyword, Operator.Word)


def test_snippets_are_models() -> None:
    snippets = json.loads((VSCODE / "snippets" / "cutset.json").read_text(encoding="utf-8"))
    for name, snippet in snippets.items():
        body = snippet["body"] if isinstance(snippet["body"], str) else "\n".join(snippet["body"])
        text = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", body)
        text = text.replace("= $0", "= x").replace(":= $0", ":= x").replace("$0", "")
        text = text.replace("()", "") if name == "Submodel" else text
        is_whole = text.startswith(("model", "function", "cut class"))
        parse(Source(name, text if is_whole else f"model M\n{text}\nend"))


def test_the_extension_has_all_that_its_manifest_names() -> None:
    manifest = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    contributes = manifest["contributes"]
    files = [contributes["languages"][0]["configuration"], contributes["grammars"][0]["path"]]
    files += [contributes["snippets"][0]["path"], "README.md", "LICENSE"]
    assert [file for file in files if not (VSCODE / file).exists()] == []
    code = (VSCODE / "src" / "extension.js").read_text(encoding="utf-8")
    named = {f"cutset.{name}" for name in re.findall(r'add\("(\w+)"', code)}
    assert named == {each["command"] for each in contributes["commands"]}
    read = set(re.findall(r'found\.get\("(\w+)"', code))
    assert {f"cutset.{name}" for name in read} <= set(contributes["configuration"]["properties"])
