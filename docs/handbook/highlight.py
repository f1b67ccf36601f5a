"""Defines lexers for Pygments: for the language, by the compiler's own lexer, and for messages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from pygments.lexer import Lexer, RegexLexer, bygroups
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, Punctuation, String, Text

from cutset.compiler.diagnostics import Source
from cutset.compiler.instantiate.values.builtin_functions import BUILTINS
from cutset.compiler.syntax.lexemes import BAD, COMMENTS, Lexeme
from cutset.compiler.syntax.parse import lexer

_KINDS = {"NAME": Name, "NUMBER": Number, "TEXT": String, "INCLUDE": Keyword.Namespace}
_OPERATOR_WORDS = frozenset({"AND", "OR", "NOT"})
_FUNCTIONS = frozenset({*BUILTINS, "der", "time"})


class CutsetLexer(Lexer):
    """Lexer of models. The keywords are those of the grammar."""

    name = "Cutset"
    aliases = ["cutset"]  # noqa: RUF012 - as Pygments wants it
    filenames = ["*.mo"]  # noqa: RUF012

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, object, str]]:
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


def _kind(lexeme: Lexeme) -> object:
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


class MessageLexer(RegexLexer):
    """The output of the commands on standard error."""

    name = "Cutset messages"
    aliases = ["message"]  # noqa: RUF012
    tokens = {  # noqa: RUF012
        "root": [
            (r"^(?:error|warning)(?:\[\w+\])?:", Generic.Error),
            (r"^( +)(-->|:::)( .*\n)", bygroups(Text, Comment, Comment)),
            (r"^( *\d* \|)(.*\n)", bygroups(Comment, Text)),
            (r"^( += (?:help|note|in):)", Generic.Strong),
            (r".*?\n|.+", Text),
        ]
    }
