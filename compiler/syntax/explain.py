"""Stage 1, its messages. What was found and what could stand there -> Diagnostic.

Decides nothing about how reading goes on.
"""

from __future__ import annotations

import unicodedata

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean
from cutset.compiler.syntax.lexemes import END, Lexeme
from cutset.compiler.syntax.statements import CONTINUING, KINDS, MAXIMUM_DEPTH, STARTERS, Statement

_CLOSER = {"(": ")", "[": "]", "<": ">"}

# What keyboards, word processors and other languages write instead of a mark of this one.
_LOOKALIKES = {
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u00d7": "*", "\u00b7": "*", "\u22c5": "*", "\u00f7": "/",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u2264": "<=", "\u2265": ">=",
    "\u2260": "<>", "!": "not", "&": "and", "|": "or",
}  # fmt: skip
_CHARACTER_HINTS = {
    "}": "it ends no comment; a comment is written { ... }, and one cannot hold another",
    "%": "a comment begins with '#'",
    "\u00a0": "write an ordinary blank",
}

_RELATIONS = frozenset({"LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL", "SAME", "DIFFERENT"})
_OPERATORS = frozenset({"PLUS", "MINUS", "STAR", "SLASH", "POWER", "POWER_STARS", "AND", "OR"} | _RELATIONS)
_EXPRESSION = frozenset({"NAME", "NUMBER", "TEXT", "OPEN", "OPEN_SQUARE", "PLUS", "MINUS", "NOT", "IF"})

# What may follow any name or operand; said only where nothing else can be said.
_SUFFIXES = frozenset({"TRANSPOSE", "DOT", "OPEN"})

_WORDS = {
    "NAME": "a name", "NUMBER": "a number", "TEXT": "a text", END: "the end of the statement",
    "OPEN": "'('", "CLOSE": "')'", "OPEN_SQUARE": "'['", "CLOSE_SQUARE": "']'", "COMMA": "','", "SEMICOLON": "';'",
    "COLON": "':'", "DOT": "'.'", "DOTS": "'..'", "EQUAL": "'='", "LESS": "'<'", "GREATER": "'>'", "MINUS": "'-'",
    "SLASH": "'/'", "TRANSPOSE": "'''",
}  # fmt: skip

# (start of the statement, what stands before, what was found) -> what of the language this would be.
_LATER_FORMS = {
    ("CUT", "CUT", "CLASS"): "a class of cuts",
    ("CUT", "CUT", "OPEN"): "a cut of a cut class",
    ("MAIN", "CUT", "OPEN"): "a cut of a cut class",
    ("SUBMODEL", "NAME", "DOT"): "a class with a prefix",
    **{(kind, kind, "OPEN"): "a type in front of the names" for kind in KINDS},
}

_LINE_HINT = "a statement goes on in the next line where the line ends with an operator, a comma or inside brackets"
_QUOTES_HINT = "a name that holds more than letters, digits, '_' and '.' stands in quotes: @\"folder/some-file.mo\""

# The same three, empty for any: how to mend it.
_HINTS = {
    ("END", "", "FOR"): "this is written as one word: endfor",
    ("FOR", "", END): "the first line of a 'for' around equations ends with 'do'",
    ("END", "", ""): "no name stands behind 'end'",
    ("SUBMODEL", "SUBMODEL", "NAME"): "the class stands in brackets: submodel (Class) name",
    ("MODEL", "NAME", "OPEN"): "superclasses stand in front of the name: model class (Super) Name",
    ("INCLUDE", "INCLUDE", ""): _QUOTES_HINT,
    ("INCLUDE", "NAME", ""): _QUOTES_HINT,
    ("INCLUDE", "DOT", ""): _QUOTES_HINT,
    ("", "", "DOTS"): "a range stands only as an index or an argument: x(1..3)",
    ("", "THEN", END): _LINE_HINT,
}


def bad_lexeme(lexeme: Lexeme) -> Diagnostic:
    """E101 to E104, for a lexeme whose type is in BAD."""
    if lexeme.type == "UNCLOSED_COMMENT":
        return Diagnostic("E102", "this comment is not closed", lexeme.span, "a comment ends with '}'")
    if lexeme.type == "UNCLOSED_TEXT":
        hint = "a text ends with '\"' in the line in which it begins"
        return Diagnostic("E103", "this text is not closed", lexeme.span, hint)
    if lexeme.type == "TOO_LARGE":
        return Diagnostic("E104", "this number is too large", lexeme.span, "the largest is about 1.8e308")
    return _bad_character(lexeme)


def _bad_character(lexeme: Lexeme) -> Diagnostic:
    character = lexeme.text
    shown = f"'{character}'" if character.isprintable() else unicodedata.name(character, "(no printable one)").lower()
    code = "" if " " < character <= "~" else f" (U+{ord(character):04X})"
    hint = _CHARACTER_HINTS.get(character, "")
    if character in _LOOKALIKES:
        hint = f"write '{_LOOKALIKES[character]}'"
    elif character.isalpha():
        hint = "names are made of the letters a to z, digits and '_'"
    return Diagnostic("E101", f"the character {shown}{code} has no meaning here", lexeme.span, hint)


def too_deep(span: Span) -> Diagnostic:
    """E112, for the place where the nesting becomes too deep."""
    message = f"this is nested too deeply, {MAXIMUM_DEPTH} levels are the most"
    return Diagnostic("E112", message, span, "give a part of it a name of its own: local x, x = ...")


def unclosed(bracket: Lexeme, found: Lexeme) -> Diagnostic:
    """E105, where `found` shows that `bracket` should have been closed before."""
    message = f"this '{bracket.text}' is not closed"
    labels = () if found.type == END else (Label(found.span, f"{found_words(found)} cannot stand inside"),)
    return Diagnostic("E105", message, bracket.span, f"a '{_CLOSER[bracket.text]}' is missing", labels=labels)


def later(lexeme: Lexeme, what: str) -> Diagnostic:
    """E111, for a form of the language that this version does not read."""
    message = f"{what} is part of the language but not supported by this version yet"
    return Diagnostic("E111", message, lexeme.span)


def block_open(start: Lexeme) -> Diagnostic:
    """E109, for the word that opens a block which the model ends before."""
    message, hint = f"this '{start.text}' has no 'end{start.text}'", f"write 'end{start.text}' on a line of its own"
    return Diagnostic("E109", message, start.span, hint)


def closes_nothing(end: Lexeme, opener: str) -> Diagnostic:
    """E110, for a word that belongs to a block which is not open there."""
    hint = f"what is open there has to be closed before, or it is not '{opener}'"
    return Diagnostic("E110", f"this '{end.text}' belongs to no '{opener}'", end.span, hint)


def declared_in_block(start: Lexeme, block: Lexeme) -> Diagnostic:
    """E113, for a declaration inside a block."""
    message = f"'{block.text}' holds equations and connections, this is a declaration"
    labels = (Label(block.span, "it stands inside of this"),)
    return Diagnostic("E113", message, start.span, "write it in front of the block", labels=labels)


def unexpected(statement: Statement, index: int, accepted: frozenset[str]) -> Diagnostic:
    """E106 to E108 or E111, for the lexeme at `index`, the end if there is none, where `accepted` could stand."""
    found = statement.lexemes[index] if index < len(statement.lexemes) else statement.end
    before = statement.lexemes[index - 1] if index else None
    form = _later_form(statement, index, found)
    if form:
        return later(statement.start if statement.start.type == "IF" else found, form)
    if before and "NAME" in accepted and _is_word(found):
        message = f"'{found.text}' is a reserved word and cannot be a name"
        return Diagnostic("E108", message, found.span, "choose another name")
    if found.type in ("CLOSE", "CLOSE_SQUARE") and found.type not in accepted and not _is_inside(statement, index):
        message = f"this '{found.text}' closes no bracket"
        return Diagnostic("E106", message, found.span, "take it away, or open a bracket before")
    message = f"expected {_expected(accepted, statement)}, found {found_words(found)}"
    hint = _hint(statement, before, found, accepted)
    return Diagnostic("E107", message, found.span, hint, labels=_continuation(statement, index))


def found_words(lexeme: Lexeme) -> str:
    """What the lexeme is, as a message says it."""
    if lexeme.type == END:
        return {"\n": "the end of the line", ";": "';'", "": "the end of the file"}[lexeme.text]
    if lexeme.type == "NAME":
        return f"the name '{lexeme.text}'"
    if lexeme.type == "NUMBER":
        return f"the number {lexeme.text}"
    if lexeme.type == "TEXT":
        return f"the text {lexeme.text}"
    return f"the word '{lexeme.text}'" if _is_word(lexeme) else f"'{lexeme.text}'"


def _is_word(lexeme: Lexeme) -> bool:
    return lexeme.type != "NAME" and lexeme.text[:1].isalpha()


def _later_form(statement: Statement, index: int, found: Lexeme) -> str:
    """What of the language, not read by this version, the statement seems to be; empty if nothing."""
    start = statement.start.type
    if index == 0:
        return ""
    before = statement.lexemes[index - 1].type
    following = statement.lexemes[index + 1].type if index + 1 < len(statement.lexemes) else END
    if start == "IF" and (found.type == "EQUAL" or (before, found.type) == ("THEN", END)):
        return "an if-equation"
    if found.type == "LATER" and start in ("CONNECT", "SUBMODEL"):
        return f"'{found.text}'"
    if start == "INCLUDE" and found.text == "as":
        return "an include under a prefix"
    if start == "MODEL" and (found.type, following) == ("OPEN", "CLASS"):
        return "a class parameter"
    return _LATER_FORMS.get((start, before, found.type), "")


def _is_inside(statement: Statement, index: int) -> bool:
    opened = sum(lexeme.type in ("OPEN", "OPEN_SQUARE") for lexeme in statement.lexemes[:index])
    closed = sum(lexeme.type in ("CLOSE", "CLOSE_SQUARE") for lexeme in statement.lexemes[:index])
    return opened > closed


def _expected(accepted: frozenset[str], statement: Statement) -> str:
    """What could stand there, in few words: kinds of expressions and operators are not told apart."""
    rest = set(accepted)
    words = []
    if KINDS <= rest:
        return "a statement"
    if _EXPRESSION <= rest:
        rest -= _EXPRESSION
        words.append("an expression")
    if {"PLUS", "MINUS"} <= rest:
        rest -= _OPERATORS | _SUFFIXES
        words.append("an operator")
    words += sorted(_WORDS.get(kind, f"'{kind.lower()}'") for kind in rest if kind != END)
    if END in rest:
        words.append("the end of the line" if statement.end.text == "\n" else "the end of the statement")
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _hint(statement: Statement, before: Lexeme | None, found: Lexeme, accepted: frozenset[str]) -> str:
    start = statement.start.type
    if before is None:
        return _LINE_HINT if found.type in CONTINUING | {"CLOSE", "CLOSE_SQUARE"} else ""
    if start == "NAME" and before is statement.start and found.type in ("NAME", "CLASS"):
        return did_you_mean(before.text, [kind.lower() for kind in STARTERS - {"INCLUDE"}])
    if before.type == "NUMBER" and found.type in ("NAME", "OPEN"):
        return "a product is written with '*'"
    if found.type in _RELATIONS and "PLUS" in accepted:
        return "relations do not chain: write 'a < b and b < c'"
    if start not in KINDS and "EQUAL" in accepted and any(x.type == "SAME" for x in statement.lexemes):
        return "'==' compares; an equation is written with '='"
    for place, hint in _HINTS.items():
        if all(here in ("", there) for here, there in zip(place, (start, before.type, found.type), strict=True)):
            return hint
    if END in accepted and (found.type == "NAME" or found.type in STARTERS):
        return "a statement ends with its line, or with ';'"
    if found.type == END and "EQUAL" in accepted:
        return "an equation has the form left = right"
    return ""


def _continuation(statement: Statement, index: int) -> tuple[Label, ...]:
    """Why the line of the lexeme at `index` belongs to the statement above, where that is so."""
    if index >= len(statement.lexemes):
        return ()
    line = statement.lexemes[index].span.line
    first = next(i for i, lexeme in enumerate(statement.lexemes) if lexeme.span.line == line)
    if first == 0 or statement.lexemes[first - 1].type not in CONTINUING or _is_inside(statement, first):
        return ()
    return (Label(statement.lexemes[first - 1].span, "behind this the statement goes on in the next line"),)
