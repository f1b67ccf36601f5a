"""Stage 1, its messages. What was found and what could stand there -> Diagnostic.

Decides nothing about how reading goes on.
"""

from __future__ import annotations

import unicodedata

from cutset.compiler.diagnostics import Diagnostic, Label, Span, did_you_mean
from cutset.compiler.syntax.lexemes import END, Lexeme
from cutset.compiler.syntax.statements import CONTINUING, KINDS, MAXIMUM_DEPTH, STARTERS, Statement

_CLOSER = {"(": ")", "[": "]", "<": ">"}

# What people's keyboards and word processors write instead of a mark of the language.
_LOOKALIKES = {
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u00d7": "*", "\u00b7": "*", "\u22c5": "*", "\u00f7": "/",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u2264": "<=", "\u2265": ">=",
    "\u2260": "<>", "\u00a0": "an ordinary blank", "%": "{ comment }", "}": "{ comment }", "!": "not", "&": "and",
    "|": "or",
}  # fmt: skip

_OPERATORS = frozenset(
    {"PLUS", "MINUS", "STAR", "SLASH", "POWER", "POWER_STARS", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"}
    | {"SAME", "DIFFERENT", "AND", "OR"}
)
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
    ("MODEL", "OPEN", "CLASS"): "a class parameter",
    ("MODEL", "COMMA", "CLASS"): "a class parameter",
    ("SUBMODEL", "NAME", "IF"): "a conditional submodel",
    ("SUBMODEL", "CLOSE", "IF"): "a conditional submodel",
    ("SUBMODEL", "CLOSE", "OPEN"): "an array of submodels",
    ("SUBMODEL", "NAME", "DOT"): "a class with a prefix",
    ("CONNECT", "CONNECT", "OPEN"): "a connection in brackets",
    ("CONNECT", "COMMA", "OPEN"): "a connection in brackets",
    ("CONNECT", "TO", "OPEN"): "a connection in brackets",
    **{(kind, kind, "OPEN"): "a type in front of the names" for kind in KINDS},
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
    character = lexeme.text
    shown = f"'{character}'" if character.isprintable() else unicodedata.name(character, "a control character").lower()
    code = "" if " " < character <= "~" else f" (U+{ord(character):04X})"
    meant = _LOOKALIKES.get(character, "")
    hint = f"write {meant}" if meant.startswith("an ") else f"write '{meant}'" if meant else ""
    if character.isalpha():
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


def unexpected(statement: Statement, index: int, accepted: frozenset[str]) -> Diagnostic:
    """E106 to E108 or E111, for the lexeme at `index`, the end if there is none, where `accepted` could stand."""
    found = statement.lexemes[index] if index < len(statement.lexemes) else statement.end
    before = statement.lexemes[index - 1] if index else None
    form = _LATER_FORMS.get((statement.start.type, before.type, found.type)) if before else None
    if form:
        return later(found, form)
    if found.type == "LATER" and statement.start.type in ("CONNECT", "SUBMODEL"):
        return later(found, f"'{found.text}'")
    if _is_if_equation(statement, before, found):
        return later(statement.start, "an if-equation")
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


def _is_if_equation(statement: Statement, before: Lexeme | None, found: Lexeme) -> bool:
    if statement.start.type != "IF" or before is None:
        return False
    return found.type == "EQUAL" or (before.type == "THEN" and found.type == END)


def _is_inside(statement: Statement, index: int) -> bool:
    opened = sum(lexeme.type in ("OPEN", "OPEN_SQUARE") for lexeme in statement.lexemes[:index])
    closed = sum(lexeme.type in ("CLOSE", "CLOSE_SQUARE") for lexeme in statement.lexemes[:index])
    return opened > closed


def _expected(accepted: frozenset[str], statement: Statement) -> str:
    rest = set(accepted)
    words = []
    if _EXPRESSION <= rest:
        rest -= _EXPRESSION
        words.append("an expression")
    if {"STAR", "SLASH", "PLUS"} <= rest:
        rest -= _OPERATORS | _SUFFIXES
        words.append("an operator")
    if KINDS <= rest:
        return "a statement"
    if rest - _SUFFIXES - {END, "TEXT"}:
        rest -= _SUFFIXES - ({"OPEN"} if "operator" not in words else set()) if words else set()
    words += sorted(_WORDS.get(kind, f"'{kind.lower()}'") for kind in rest if kind != END)
    if END in rest:
        words.append("the end of the line" if statement.end.text == "\n" else "the end of the statement")
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _hint(statement: Statement, before: Lexeme | None, found: Lexeme, accepted: frozenset[str]) -> str:
    start = statement.start
    if start.type == "END":
        return "no name stands behind 'end'"
    if start.type == "SUBMODEL" and before is start and found.type == "NAME":
        return "the class stands in brackets: submodel (Class) name"
    if start.type == "NAME" and before is start and found.type in ("NAME", "CLASS", "OPEN"):
        return did_you_mean(start.text, [kind.lower() for kind in STARTERS - {"INCLUDE"}])
    if before is not None and before.type == "NUMBER" and found.type in ("NAME", "OPEN"):
        return "a product is written with '*'"
    if start.type == "INCLUDE" and found.text == "as":
        return "a prefix for an include is not supported by this version yet"
    if found.type == "EQUAL" and "SAME" in accepted:
        return "a comparison is written '=='"
    if _cannot_start(found, before):
        return "a statement goes on in the next line where the line ends with an operator, a comma or inside brackets"
    if END in accepted and (found.type == "NAME" or found.type in STARTERS):
        return "a statement ends with its line, or with ';'"
    if found.type == END and "EQUAL" in accepted:
        return "an equation has the form left = right"
    return ""


def _cannot_start(found: Lexeme, before: Lexeme | None) -> bool:
    return before is None and found.type in CONTINUING | {"CLOSE", "CLOSE_SQUARE"}


def _continuation(statement: Statement, index: int) -> tuple[Label, ...]:
    """Why the line of the lexeme at `index` belongs to the statement above, where that is so."""
    if index >= len(statement.lexemes):
        return ()
    line = statement.lexemes[index].span.line
    first = next(i for i, lexeme in enumerate(statement.lexemes) if lexeme.span.line == line)
    if first == 0 or statement.lexemes[first - 1].type not in CONTINUING or _is_inside(statement, first):
        return ()
    return (Label(statement.lexemes[first - 1].span, "behind this the statement goes on in the next line"),)
