"""Makes the TextMate grammar, and the words of the workbench, from the compiler's tables of keywords and functions.

    .venv/bin/python editors/make_grammars.py

writes editors/vscode/syntaxes/cutset.tmLanguage.json and workbench/src/words.ts. A test compares them with what this
module makes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cutset.compiler.syntax.grammar import lexer, parser
from cutset.compiler.syntax.lines import KINDS
from cutset.lsp.facts import ATTRIBUTES, builtin_names, predefined

TEXTMATE = Path(__file__).parent / "vscode" / "syntaxes" / "cutset.tmLanguage.json"
WORDS = Path(__file__).parents[1] / "workbench" / "src" / "words.ts"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_DECLARING = frozenset(
    {"MODEL", "CLASS", "TYPE", "FUNCTION", "SUBMODEL", "MAIN", "CUT", "PATH", "NODE", "EXPERIMENT", "END"}
)
_CONNECTING = frozenset({"CONNECT", "TO", "AT", "PAR", "LOOP", "REVERSED"})
_LOGICAL = frozenset({"AND", "OR", "NOT"})


def keywords() -> dict[str, str]:
    """The keywords of the compiler by the types of their lexemes."""
    return {kind: word for word, kind in lexer().words.items()}


def keyword_groups() -> dict[str, list[str]]:
    """All keywords, each once, by the scope that they have in TextMate grammars."""
    groups: dict[str, list[str]] = {}
    for kind, word in keywords().items():
        scope = "keyword.control.cutset"
        if kind in KINDS:
            scope = "storage.modifier.cutset"
        elif kind in _DECLARING:
            scope = "storage.type.cutset"
        elif kind in _CONNECTING:
            scope = "keyword.other.connect.cutset"
        elif kind in _LOGICAL:
            scope = "keyword.operator.word.cutset"
        groups.setdefault(scope, []).append(word)
    return groups


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
                *({"name": scope, "match": _any(words)} for scope, words in keyword_groups().items()),
                {"name": "support.function.cutset", "match": _any(builtin_names()) + r"(?=\s*\()"},
                {"name": "constant.language.cutset", "match": _any(predefined())},
                {"name": "entity.other.attribute-name.cutset", "match": _any(ATTRIBUTES) + r"(?=\s*=(?!=))"},
                {"name": "entity.name.function.cutset", "match": rf"{_NAME}(?=\s*\()"},
                {"name": "variable.other.cutset", "match": _NAME},
            ),
            "rest": _patterns(
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
            "match": rf"\b({'|'.join(keywords()[kind] for kind in sorted(KINDS))})\s*(\()\s*({_DOTTED})\s*(?=\))",
            "captures": _captures("storage.modifier", "", "entity.name.type"),
        },
    ]


def _patterns(*patterns: dict[str, Any]) -> dict[str, Any]:
    return {"patterns": list(patterns)}


def _captures(*scopes: str) -> dict[str, Any]:
    return {str(k): {"name": f"{scope}.cutset"} for k, scope in enumerate(scopes, 1) if scope}


def _any(words: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(words))})\b"


def textmate_text() -> str:
    """The file of the TextMate grammar."""
    return json.dumps(textmate(), indent=2) + "\n"


def words_text() -> str:
    """The module of the workbench with the words that its editor colors and completes."""
    groups = keyword_groups()
    lists = {
        "DECLARING": groups["storage.type.cutset"] + groups["storage.modifier.cutset"],
        "CONTROL": groups["keyword.control.cutset"],
        "CONNECTING": groups["keyword.other.connect.cutset"],
        "OPERATORS": groups["keyword.operator.word.cutset"],
        "FUNCTIONS": builtin_names(),
        "CONSTANTS": predefined(),
    }
    made = [f"export const {name} = {json.dumps(sorted(words))};\n" for name, words in lists.items()]
    return "// The words of the language; editors/make_grammars.py writes this file.\n" + "".join(made)


if __name__ == "__main__":
    WORDS.write_text(words_text(), encoding="utf-8")
    TEXTMATE.write_text(textmate_text(), encoding="utf-8")
