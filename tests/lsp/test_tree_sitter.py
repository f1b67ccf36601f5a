"""The grammar for tree-sitter: it parses what the compiler parses, and has the same words.

The generated parser is committed, so that this needs a C compiler and the package tree-sitter, but not its generator.
"""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.parse import parse
from cutset.lsp.facts import builtin_names

tree_sitter = pytest.importorskip("tree_sitter", reason="the package tree-sitter is not installed")
ROOT = Path(__file__).parents[2]
GRAMMAR = ROOT / "editors" / "tree-sitter-cutset"
CORPUS = re.compile(r"={3,}\n([^\n]+)\n={3,}\n(.*?)\n---\n(.*?)(?=\n={3,}\n|\Z)", re.DOTALL)


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Any:
    compiler = shutil.which("cc") or pytest.skip("there is no C compiler")
    library = tmp_path_factory.mktemp("parser") / "cutset.so"
    sources = [GRAMMAR / "src" / name for name in ("parser.c", "scanner.c")]
    words = [compiler, "-O0", "-shared", "-fPIC", f"-I{GRAMMAR / 'src'}", "-o", library, *sources]
    subprocess.run(words, check=True, timeout=100)
    found = ctypes.CDLL(str(library)).tree_sitter_cutset
    found.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return tree_sitter.Language(capsule(found(), b"tree_sitter.Language", None))


def tree_of(language: Any, text: str) -> Any:
    return tree_sitter.Parser(language).parse(text.encode()).root_node


def models() -> Iterator[Path]:
    """The models of users, of the specification and of tests of the grammar, and all libraries."""
    for folder in ("stdlib", "models", "api/starters", "tests/syntax", "tests/language"):
        yield from sorted((ROOT / folder).rglob("*.mo"))


def test_it_parses_what_the_compiler_parses(language: Any) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in models() if ".broken." not in path.name}
    errors = [path for path, text in texts.items() if tree_of(language, text).has_error]
    assert len(texts) > 250
    for path in errors:
        with pytest.raises(ModelError):
            parse(Source(str(path), texts[path]))
    assert not any(path.is_relative_to(ROOT / "stdlib") for path in errors)


def test_trees(language: Any) -> None:
    """`tree-sitter test` does the same."""
    cases = [
        case
        for path in sorted((GRAMMAR / "test" / "corpus").glob("*.txt"))
        for case in CORPUS.findall(path.read_text())
    ]
    assert len(cases) > 4
    for name, text, expected in cases:
        found = re.sub(r"\w+: ", "", str(tree_of(language, text)))
        assert found == re.sub(r"\s+", " ", expected.strip()).replace(" )", ")"), name


def test_an_error_stays_in_its_statement(language: Any) -> None:
    root = tree_of(language, "model M\n  x = 2*)\n  y = 3\nend\nmodel N\n  z = 1\nend\n")
    assert root.has_error and root.children[-1].type == "model" and not root.children[-1].has_error


def test_it_has_the_words_of_the_compiler(language: Any) -> None:
    rules = json.loads((GRAMMAR / "src" / "grammar.json").read_text())
    words = set(re.findall(r'"STRING", "value": "([a-z]+)"', json.dumps(rules)))
    assert sorted(words) == sorted(lexer().words)
    source = (GRAMMAR / "grammar.js").read_text()
    assert sorted(set(re.findall(r"^    (\w+): \(", source, re.MULTILINE))) == sorted(rules["rules"])


def test_the_queries_color_all_words(language: Any) -> None:
    for path in (GRAMMAR / "queries").glob("*.scm"):
        tree_sitter.Query(language, path.read_text())
    text = (GRAMMAR / "queries" / "highlights.scm").read_text()
    (builtins,) = re.findall(r"#any-of\? @function.builtin(.*?)\)", text, re.DOTALL)
    assert sorted(re.findall(r'"(\w+)"', builtins)) == sorted(builtin_names())
    colored = set(re.findall(r'"([a-z]+)"', text.replace(builtins, "")))
    assert set(lexer().words) - colored == {
        "parameter",
        "constant",
        "local",
        "terminal",
        "input",
        "output",
        "default",
        "internal",
    }
    query = tree_sitter.Query(language, text)
    found = tree_sitter.QueryCursor(query).captures(tree_of(language, 'model M\n  parameter p = sin(1) "doc"\nend'))
    assert found["function.builtin"][0].text == b"sin" and found["keyword.storage"][0].text == b"parameter"
