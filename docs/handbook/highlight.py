"""Defines a lexer for Pygments of the messages of commands."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Generic, Text


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
