"""Makes the grammars for editors from the compiler's tables of keywords and functions.

    .venv/bin/python editors/make_grammars.py [--check]

writes the TextMate grammar, and the words in the highlights of tree-sitter and in the page for Emacs; with --check it
says which of them are out of date.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cutset.compiler.syntax.grammar import lexer, parser
from cutset.compiler.syntax.lines import KINDS
from cutset.compiler.syntax.tree import CARRIED
from cutset.lsp.facts import ATTRIBUTES, PREDEFINED, builtin_names
from cutset.lsp.words import keywords

ROOT = Path(__file__).parents[1]
_SCOPES = {
    "modifiers": "storage.modifier.cutset",
    "declaring": "storage.type.cutset",
    "control": "keyword.control.cutset",
    "connecting": "keyword.other.connect.cutset",
    "operators": "keyword.operator.word.cutset",
}
_NAME = r"""(?:[A-Za-z_][A-Za-z0-9_]*|(?<![\w)\]}'"])'[^'"\\]+')"""
_SYMBOL = r"[A-Za-z%\u00b0\u00b5\u03a9]+[0-9]*(?:\^[+-]?[0-9]+)?"
_UNIT = rf"{_SYMBOL}(?:\.{_SYMBOL})*(?:/(?:{_SYMBOL}|\({_SYMBOL}(?:\.{_SYMBOL})*\)))?(?![A-Za-z0-9_])"
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"


def textmate() -> dict[str, Any]:
    """The TextMate grammar. Text that is no part of the language has a scope that begins with 'invalid'."""
    patterns = {t.name: t.pattern for t in parser().terminals}
    number = patterns["NUMBER"].to_regexp()
    marks = [p.value for p in patterns.values() if p.type == "str" and not p.value.isalpha()]
    punctuation = [mark for mark in marks if mark in "()[],;:."]
    operators = sorted((mark for mark in marks if mark not in punctuation and mark != "@"), key=len, reverse=True)
    return {
        "name": "Cutset",
        "scopeName": "source.cutset",
        "fileTypes": ["mo"],
        "patterns": [
            {"include": f"#{name}"} for name in ("comments", "strings", "includes", "headers", "words", "rest")
        ],
        "repository": {
            "comments": _patterns(
                {"name": "comment.block.cutset", "begin": r"\{", "end": r"\}"},
                {"name": "comment.line.number-sign.cutset", "match": "#.*$"},
            ),
            "strings": _patterns(
                {"name": "string.quoted.double.cutset", "match": '"[^"]*"'},
                {"name": "invalid.illegal.unclosed-string.cutset", "match": '"[^"]*$'},
            ),
            "includes": _patterns(
                {
                    "match": rf"(@)\s*({_DOTTED})(?:\s+(as)\s+({_NAME}))?",
                    "captures": _captures(
                        "keyword.control.import",
                        "entity.name.namespace",
                        "keyword.control.import",
                        "entity.name.namespace",
                    ),
                },
                {"name": "keyword.control.import.cutset", "match": "@"},
            ),
            "headers": _patterns(*_headers()),
            "words": _patterns(
                *({"name": _SCOPES[group], "match": _any(words)} for group, words in keywords().items()),
                {"name": _SCOPES["modifiers"], "match": rf"\b{CARRIED}(?=\s+{_NAME})"},
                {"name": "support.function.cutset", "match": _any(builtin_names()) + r"(?=\s*\()"},
                {"name": "constant.language.cutset", "match": _any(PREDEFINED.keys() - {"e"})},
                {"name": "entity.other.attribute-name.cutset", "match": _any(ATTRIBUTES) + r"(?=\s*=(?!=))"},
                {"name": "entity.name.function.cutset", "match": rf"{_NAME}(?=\s*\()"},
                {"name": "variable.other.cutset", "match": _NAME},
            ),
            "rest": _patterns(
                {
                    "match": rf"({number}|\])[ \t]+(?!{_any(lexer().words)})((?:1/)?{_UNIT})",
                    "captures": _captures("constant.numeric", "keyword.other.unit"),
                },
                {"name": "constant.numeric.cutset", "match": number},
                {"name": "keyword.operator.cutset", "match": "|".join(map(re.escape, operators))},
                {
                    "name": "punctuation.cutset",
                    "match": rf"\.\.|[{re.escape(''.join(c for c in punctuation if len(c) == 1))}]",
                },
                {"name": "invalid.illegal.character.cutset", "match": r"\S"},
            ),
        },
    }


def _headers() -> list[dict[str, Any]]:
    """The first lines of classes, functions and types, and the classes of submodels and variables."""
    supers = {"patterns": [{"name": "entity.other.inherited-class.cutset", "match": _DOTTED}]}
    model = _captures("storage.type", "storage.type", "", "entity.name.type.class")
    model["3"] = supers
    of_class = _captures("storage.type", "", "entity.name.type")
    return [
        {"match": rf"\b(model)\b(?:\s+(class|type)\b)?\s*(\([^)\"]*\))?\s*({_NAME})", "captures": model},
        {"match": rf"\b(function)\s+({_NAME})", "captures": _captures("storage.type", "entity.name.function")},
        {
            "match": rf"\b(external)\s+(function|controller)\s+({_NAME})",
            "captures": _captures("storage.modifier", "storage.type", "entity.name.function"),
        },
        {
            "match": rf"\b(cut)\s+(class)\s+({_NAME})",
            "captures": _captures("storage.type", "storage.type", "entity.name.type"),
        },
        {"match": rf"\b(submodel|cut|type)\s*(\()\s*({_DOTTED})\s*(?=\))", "captures": of_class},
        {
            "match": rf"\b({'|'.join(kind.lower() for kind in sorted(KINDS))})\s*(\()\s*({_DOTTED})\s*(?=\))",
            "captures": _captures("storage.modifier", "", "entity.name.type"),
        },
    ]


def _patterns(*patterns: dict[str, Any]) -> dict[str, Any]:
    return {"patterns": list(patterns)}


def _captures(*scopes: str) -> dict[str, Any]:
    return {str(k): {"name": f"{scope}.cutset"} for k, scope in enumerate(scopes, 1) if scope}


def _any(words: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(words))})\b"


def textmate_text(text: str) -> str:
    """The file of the TextMate grammar."""
    return json.dumps(textmate(), indent=2) + "\n"


def highlights_text(text: str) -> str:
    """The highlights of tree-sitter with the names of all built-in functions."""
    return _with_words(r"(#any-of\? @function\.builtin\n)[^)]*", text, builtin_names(), "    ", "    ")


def emacs_text(text: str) -> str:
    """The page for Emacs with all keywords."""
    return _with_words(r"(regexp-opt '\()[^)]*", text, sorted(lexer().words), "", " " * 19)


def _with_words(before: str, text: str, words: Iterable[str], first: str, further: str) -> str:
    quoted = " ".join(f'"{word}"' for word in words)
    lines = textwrap.fill(quoted, 110, initial_indent=first, subsequent_indent=further, break_on_hyphens=False)
    return re.sub(before, lambda found: found[1] + lines, text)


FILES = {
    ROOT / "editors" / "vscode" / "syntaxes" / "cutset.tmLanguage.json": textmate_text,
    ROOT / "editors" / "tree-sitter-cutset" / "queries" / "highlights.scm": highlights_text,
    ROOT / "docs" / "editors" / "emacs.md": emacs_text,
}


def main() -> int:
    """Write all files, or name those that are out of date."""
    is_check = "--check" in sys.argv
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    changed = {path: made for path, text in texts.items() if (made := FILES[path](text)) != text}
    for path, text in changed.items():
        if is_check:
            print(f"{path.relative_to(ROOT)} is out of date; run: make grammars")
        else:
            path.write_text(text, encoding="utf-8")
    return int(is_check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
