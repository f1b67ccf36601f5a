"""Colors models with Pygments, by the compiler's own lexer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from pygments.lexer import Lexer
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, Punctuation, String, Text

from cutset.compiler.diagnostics import Source
from cutset.compiler.instantiate.events.builtin_functions import EVENT_FUNCTIONS
from cutset.compiler.instantiate.values.builtin_functions import BUILTINS
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.lexemes import BAD, COMMENTS, Lexeme

_KINDS = {"NAME": Name, "NUMBER": Number, "UNIT": Number, "TEXT": String, "INCLUDE": Keyword.Namespace}
# Modelica has none of these.
_OWN = re.compile(r"^\s*(?:model\s+class\b|model\s*\(|submodel\b|@[\w\"]|cut\b|connect\s+\w)", re.MULTILINE)
_OPERATOR_WORDS = frozenset({"AND", "OR", "NOT"})
_FUNCTIONS = frozenset({*BUILTINS, *EVENT_FUNCTIONS, "der", "time"})


class CutsetLexer(Lexer):  # type: ignore[misc]
    """Lexer of models. The keywords are those of the grammar."""

    name = "Cutset"
    aliases = ["cutset"]  # noqa: RUF012 - as Pygments has it
    filenames = ["*.mo"]  # noqa: RUF012

    @staticmethod
    def analyse_text(text: str) -> float:
        """How sure it is that a text is a model of Cutset: files of Modelica have the same extension."""
        return 0.9 if _OWN.search(text) else 0.0

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """(offset, kind, text); the texts together are the complete text."""
        starts = list(accumulate(map(len, (text + "x").splitlines(keepends=True)[:-1]), initial=0))
        position = 0
        for lexeme in lexer().read(Source("", text), with_comments=True):
            span = lexeme.span
            begin = starts[span.line - 1] + span.column - 1
            end = starts[span.end_line - 1] + span.end_column - 1
            if lexeme.type == "NEWLINE" or begin < position:
                continue
            if begin > position:
                yield position, Text, text[position:begin]
            yield begin, _kind(lexeme), text[begin:end]
            position = end
        if position < len(text):
            yield position, Text, text[position:]


def _kind(lexeme: Lexeme) -> Any:
    if lexeme.type in BAD:
        return Generic.Error
    if lexeme.type in COMMENTS:
        return Comment
    if lexeme.type == "NAME" and lexeme.text in _FUNCTIONS:
        return Name.Builtin
    if lexeme.type in _KINDS:
        return _KINDS[lexeme.type]
    if lexeme.text[:1].isalpha():
        return Operator.Word if lexeme.type in _OPERATOR_WORDS else Keyword
    return Punctuation if lexeme.text in "()[],;:." else Operator
