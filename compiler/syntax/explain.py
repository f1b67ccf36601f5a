"""Explains syntax errors (stage 1): what was found and what could follow -> Diagnostic. Decides nothing else."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, Edit, Hint, Label, Span, did_you_mean
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.lexemes import ELEMENTWISE, END, LONGEST, TAKEN, WITH_UNIT, Lexeme
from cutset.compiler.syntax.lines import KINDS
from cutset.compiler.syntax.statements import CONTINUING, MAXIMUM_DEPTH, STARTERS, Statement
from cutset.compiler.units.quantities import begins_unit
from cutset.compiler.units.symbols import mended
from cutset.contract.abridged import abridged
from cutset.contract.number_texts import PREFIXES, with_power

_CLOSER = {"(": ")", "[": "]", "<": ">"}

# Characters that keyboards, word processors and other languages use instead of one of this language.
_LOOKALIKES = {
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u00d7": "*", "\u00b7": "*", "\u22c5": "*", "\u00f7": "/",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u2264": "<=", "\u2265": ">=",
    "\u2260": "<>", "!": "not", "&": "and", "|": "or",
}  # fmt: skip
_CHARACTER_HINTS = {
    "}": "no comment is open here; comments are written { ... } and do not nest",
    "%": "a comment begins with '#'",
    "\u00a0": "write an ordinary space",
}

_RELATIONS = frozenset({"LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL", "SAME", "DIFFERENT"})
_OPERATORS = (
    frozenset({"PLUS", "TOLERANCE", "MINUS", "STAR", "SLASH", "POWER", "POWER_STARS", "AND", "OR"}).union(ELEMENTWISE)
    | _RELATIONS
)
_EXPRESSION = frozenset({"NAME", "NUMBER", "TEXT", "LAST", "OPEN", "OPEN_SQUARE", "PLUS", "MINUS", "NOT", "IF"})

# Tokens that may follow any name or operand; mentioned only if nothing else can follow.
_SUFFIXES = frozenset({"TRANSPOSE", "DOT", "OPEN", "UNIT"})

_WORDS = {
    "NAME": "a name", "NUMBER": "a number", "TEXT": "a string", END: "the end of the statement",
    "OPEN": "'('", "CLOSE": "')'", "OPEN_SQUARE": "'['", "CLOSE_SQUARE": "']'", "COMMA": "','", "SEMICOLON": "';'",
    "COLON": "':'", "DOT": "'.'", "DOTS": "'..'", "EQUAL": "'='", "LESS": "'<'", "GREATER": "'>'", "MINUS": "'-'",
    "ASSIGN": "':='", "SLASH": "'/'", "TRANSPOSE": "'''",
}  # fmt: skip

_LISTS = KINDS | {"SUBMODEL", "NODE", "CUT"}

_BLOCK_HINT = "put each statement of a block on its own line"
_LINE_HINT = (
    "a statement continues on the next line inside brackets, or where the line ends with an operator or a comma"
)
_EXPERIMENT_HINT = "settings are in parentheses, by name: experiment (stop=10, rtol=1e-8)"
_QUOTES_HINT = "put a name with other characters than letters, digits, '_' and '.' in quotes: @\"folder/some-file.mo\""

# How to fix an error, by the start of the statement, the lexeme before the error and the lexeme found; '' for any.
_HINTS = {
    ("FOR", "", END): "the first line of a 'for' around equations ends with 'do'",
    ("WHILE", "", END): "the first line of a 'while' ends with 'do'",
    ("WHEN", "", END): "the first line of a 'when' ends with 'then'",
    ("IF", "THEN", "EQUAL"): _BLOCK_HINT,
    ("IF", "", "EQUAL"): _BLOCK_HINT,
    ("WHEN", "THEN", ""): _BLOCK_HINT,
    ("FOR", "DO", ""): _BLOCK_HINT,
    ("ELSE", "ELSE", ""): _BLOCK_HINT,
    ("FUNCTION", "CLOSE", ""): "name the result of the function: function f(x) result y",
    ("EXTERNAL", "", END): 'end the line with the place of the function: "python:package.module.function"',
    ("ASSERT", "", ""): 'end it with a string that tells what is wrong: assert m > 0, "the mass is not positive"',
    ("TERMINATE", "", ""): 'end it with a string that tells why: terminate h < 0, "it has reached the ground"',
    ("TYPE", "", END): 'a type is written: type Angle (unit="rad") or type Mode = (Free, Stuck)',
    (
        "INITIAL",
        "INITIAL",
        "NAME",
    ): "initial equations go between 'initial' and 'endinitial'; remove the word after 'initial'",
    ("END", "", ""): "remove the name after 'end'",
    ("SUBMODEL", "SUBMODEL", "NAME"): "put the class in parentheses: submodel (Class) name",
    ("MODEL", "OPEN", "NAME"): "put superclasses before the name: model class (Super) Name",
    ("INCLUDE", "INCLUDE", ""): _QUOTES_HINT,
    ("INCLUDE", "NAME", END): "write a prefix like this: @file as prefix",
    ("INCLUDE", "NAME", ""): _QUOTES_HINT,
    ("INCLUDE", "DOT", ""): _QUOTES_HINT,
    ("CONNECT", "NAME", "DOT"): "the cut of a submodel is named with ':': submodel:cut",
    ("NAME", "NAME", "COLON"): "a variable of a submodel is named with '.': submodel.variable",
    ("EXPERIMENT", "EXPERIMENT", ""): _EXPERIMENT_HINT,
    ("EXPERIMENT", "OPEN", ""): _EXPERIMENT_HINT,
    ("", "", "DOTS"): "a range can only be an index or an argument: x(1..3)",
    ("", "THEN", END): _LINE_HINT,
}


def bad_lexeme(lexeme: Lexeme) -> Diagnostic:
    """E101 to E104 or E115, for a lexeme whose type is in BAD."""
    if lexeme.type == "UNCLOSED_COMMENT":
        return Diagnostic("E102", "this comment is not closed", lexeme.span, "a comment ends with '}'")
    if lexeme.type == "UNCLOSED_TEXT":
        hint = "a string ends with '\"' on the line where it begins"
        return Diagnostic("E103", "this string is not closed", lexeme.span, hint)
    if lexeme.type == "TOO_LARGE":
        return Diagnostic("E104", "this number is too large", lexeme.span, "the largest is about 1.8e308")
    if lexeme.type == "TOO_LONG":
        what = "number" if lexeme.text[:1].isdigit() or lexeme.text[:1] == "." else "name"
        message = f"this {what} has {len(lexeme.text)} characters"
        return Diagnostic("E115", message, lexeme.span, f"the limit is {LONGEST}")
    return _bad_character(lexeme)


def _bad_character(lexeme: Lexeme) -> Diagnostic:
    character = lexeme.text
    shown = f"'{character}'" if character.isprintable() else unicodedata.name(character, "(not printable)").lower()
    code = "" if " " < character <= "~" else f" (U+{ord(character):04X})"
    hint = _CHARACTER_HINTS.get(character, "")
    if character in _LOOKALIKES:
        hint = Hint(f"write '{_LOOKALIKES[character]}'", Edit("replace", _LOOKALIKES[character]))
    elif character.isalpha():
        hint = "names consist of the letters a to z, digits and '_'"
    return Diagnostic("E101", f"the character {shown}{code} has no meaning here", lexeme.span, hint)


def taken_name(item: tree.VariableItem) -> Diagnostic:
    """E108, for the declaration of a name in TAKEN."""
    return Diagnostic("E108", f"'{item.name}' is predefined: it is {TAKEN[item.name]}", item.span, _quote(item.name))


def too_deep(span: Span) -> Diagnostic:
    """E112, for the place where nesting becomes too deep."""
    message = f"this is nested too deeply; the limit is {MAXIMUM_DEPTH} levels"
    return Diagnostic("E112", message, span, "give a part of it its own name: local x, x = ...")


def unclosed(bracket: Lexeme, found: Lexeme) -> Diagnostic:
    """E105; `found` shows that `bracket` should have been closed before."""
    message = f"this '{bracket.text}' is not closed"
    labels = () if found.type == END else (Label(found.span, f"{found_words(found)} cannot be inside the brackets"),)
    return Diagnostic("E105", message, bracket.span, f"a '{_CLOSER[bracket.text]}' is missing", labels=labels)


def block_open(start: Lexeme) -> Diagnostic:
    """E109, for the keyword that opens a block which the model ends before."""
    message, hint = f"this '{start.text}' has no 'end{start.text}'", f"write 'end{start.text}' on its own line"
    return Diagnostic("E109", message, start.span, hint)


def closes_nothing(end: Lexeme, opener: str) -> Diagnostic:
    """E110, for a keyword that belongs to a block which is not open there."""
    hint = f"no '{opener}' is open here, or another block inside it is not closed"
    if not end.text.startswith("end"):
        hint = f"'{opener} ... then' around equations opens a block; to continue an expression, put it in parentheses"
    return Diagnostic("E110", f"this '{end.text}' has no '{opener}'", end.span, hint)


def foreign_comment(mark: str, span: Span, others: Sequence[int]) -> Diagnostic:
    """E116, for the first comment that begins with `mark`; `others` are the lines of those that follow."""
    hint = "a comment goes from '#' to the end of the line, or from '{' to '}'"
    if mark == "/*":
        hint = "a comment is { ... }, over any number of lines, or goes from '#' to the end of the line"
    lines = abridged([str(line) for line in others], 6)
    notes = (f"the same on line{'s' if len(others) > 1 else ''} {lines}",) if others else ()
    return Diagnostic("E116", f"'{mark}' does not begin a comment", span, hint, notes=notes)


def capitals(word: Lexeme) -> Diagnostic:
    """E127, for a keyword with capital letters."""
    small = word.text.lower()
    return Diagnostic("E127", "keywords are lowercase", word.span, Hint(f"write '{small}'", Edit("replace", small)))


def two_words(word: Lexeme) -> Diagnostic:
    """E130, for a keyword that is written as two words; its text contains a space."""
    one = word.text.replace(" ", "")
    hint = Hint(f"write '{one}'", Edit("replace", one))
    return Diagnostic("E130", f"'{word.text}' is written as one word: {one}", word.span, hint)


def behind_else(word: Lexeme, opener: Lexeme) -> Diagnostic:
    """E110, for a branch that follows the last one."""
    labels = (Label(opener.span, f"this '{opener.text}' already has its 'else'"),)
    hint = "'else' is the last branch, and there is only one"
    return Diagnostic("E110", f"no '{word.text}' can follow 'else'", word.span, hint, labels=labels)


def wrong_place(node: Any, start: Lexeme, block: Lexeme | None, in_function: bool) -> Diagnostic:
    """E113, for a statement that is not allowed in `block` or, if that is None, in its model or function."""
    labels = (Label(block.span, "it is inside this block"),) if block else ()
    if isinstance(node, tree.Assignment):
        message, hint = "':=' assigns in a function; a model has equations", "write an equation: left = right"
    elif isinstance(node, tree.Equation) and in_function:
        message, hint = "a function has no equations", "assign a value with ':=': z := x + y"
    elif isinstance(node, tree.While):
        message, hint = "'while' is allowed in functions only", "repeat equations with 'for k = 1..n do'"
    elif isinstance(node, tree.VariableDeclaration) and block:
        message = f"'{block.text}' cannot contain declarations"
        hint = "move it before the block"
    elif in_function:
        message = f"{_statement_words(node, start)} is not allowed in a function"
        hint = "a function contains 'local' declarations, assignments, 'if', 'for', 'while' and 'assert'"
    else:
        what = f"'{block.text}'" if block else "a model"
        message = f"{_statement_words(node, start)} is not allowed in {what}"
        hint = "move it before the block"
    return Diagnostic("E113", message, start.span, hint, labels=labels)


def _statement_words(node: Any, start: Lexeme) -> str:
    if isinstance(node, tree.Equation) and not node.is_closed:
        return "an equation"
    is_declaration = start.type in STARTERS and not isinstance(node, tree.Statement | tree.Experiment)
    return f"the declaration of a {start.text}" if is_declaration else f"'{start.text}'"


def unexpected(statement: Statement, index: int, accepted: frozenset[str]) -> Diagnostic:
    """E106 to E108, for the lexeme at `index` (the end if there is none) where only the `accepted` ones can follow."""
    found = statement.lexemes[index] if index < len(statement.lexemes) else statement.end
    before = statement.lexemes[index - 1] if index else None
    if before and "NAME" in accepted and _is_word(found):
        return reserved(found, _reserved_hint(statement, index))
    if found.type in ("CLOSE", "CLOSE_SQUARE") and found.type not in accepted and not _is_inside(statement, index):
        message = f"this '{found.text}' closes no bracket"
        return Diagnostic("E106", message, found.span, "remove it, or open a bracket before it")
    message = f"expected {_expected(accepted, statement)}, found {found_words(found)}"
    hint = _hint(statement, index, found, accepted)
    return Diagnostic("E107", message, found.span, hint, labels=_continuation(statement, index))


def reserved(word: Lexeme, hint: str = "") -> Diagnostic:
    """E108, for a keyword where a name is wanted."""
    return Diagnostic(
        "E108", f"'{word.text}' is a reserved word and cannot be a name", word.span, hint or _quote(word.text)
    )


def _reserved_hint(statement: Statement, index: int) -> str:
    following = statement.lexemes[index + 1].type if index + 1 < len(statement.lexemes) else END
    if statement.lexemes[index].type == "INITIAL" and following == "OPEN":
        return "initial equations go between 'initial' and 'endinitial'; the start of a run is initial()"
    before, word = statement.lexemes[index - 1 : index + 1]
    return _line_hint(statement, index, before, word) if word.span.line > before.span.line else ""


def _quote(word: str) -> Hint:
    return Hint(f"write it in quotes everywhere, '{word}', or choose another name", Edit("replace", f"'{word}'"))


def found_words(lexeme: Lexeme) -> str:
    """The lexeme in the words of a message."""
    if lexeme.type == END:
        return {"\n": "the end of the line", ";": "';'", "": "the end of the file"}[lexeme.text]
    if lexeme.type == "NAME":
        return f"the name '{lexeme.text}'"
    if lexeme.type == "NUMBER":
        return f"the number {lexeme.text}"
    if lexeme.type == "TEXT":
        return f"the string {lexeme.text}" if len(lexeme.text) <= 40 else f'the string {lexeme.text[:36]}..."'
    return f"the keyword '{lexeme.text}'" if _is_word(lexeme) else f"'{lexeme.text}'"


def _is_word(lexeme: Lexeme) -> bool:
    return lexeme.type != "NAME" and lexeme.text[:1].isalpha()


def _is_inside(statement: Statement, index: int) -> bool:
    opened = sum(lexeme.type in ("OPEN", "OPEN_SQUARE") for lexeme in statement.lexemes[:index])
    closed = sum(lexeme.type in ("CLOSE", "CLOSE_SQUARE") for lexeme in statement.lexemes[:index])
    return opened > closed


def _expected(accepted: frozenset[str], statement: Statement) -> str:
    """What could follow, in few words: kinds of expressions and operators are not distinguished."""
    rest = set(accepted)
    words = []
    if rest >= KINDS:
        return "a statement"
    if {"NAME", "NUMBER", "OPEN_SQUARE"} <= rest:
        rest -= _EXPRESSION
        words.append("an expression")
    if {"PLUS", "MINUS"} <= rest:
        rest -= _OPERATORS | _SUFFIXES
        words.append("an operator")
    words += sorted(_WORDS.get(kind, f"'{kind.lower()}'") for kind in rest if kind != END)
    if END in rest:
        words.append("the end of the line" if statement.end.text == "\n" else "the end of the statement")
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _hint(statement: Statement, index: int, found: Lexeme, accepted: frozenset[str]) -> str:
    start, before = statement.start.type, statement.lexemes[index - 1] if index else None
    if before is None:
        return _LINE_HINT if found.type in CONTINUING | {"CLOSE", "CLOSE_SQUARE"} else ""
    if start == "NAME" and before is statement.start and found.type in ("NAME", "CLASS"):
        return did_you_mean(before.text, [kind.lower() for kind in STARTERS - {"INCLUDE"}])
    if found.type in ("NUMBER", "NAME") and {"COMMA", "CLOSE_SQUARE"} <= accepted:
        return "separate the elements of an array by commas: [1, 2, 3]"
    gives = [lexeme.type for lexeme in statement.lexemes[index + 1 : index + 2]] == ["EQUAL"]
    if before.type == "NUMBER" and found.text in ("e", "E") and _is_joined(before, found) and not gives:
        return f"write an exponent of digits: {before.text}e-3"
    if before.type == "UNIT" and found.type == "EQUAL" and "COMMA" in accepted:
        return f"a comma is missing before '{before.text}'"
    if before.type in WITH_UNIT and found.type == "NAME" and (meant := _number_meant(before, found)):
        return meant
    if start in KINDS and found.type == "ASSIGN":
        return "give a value with '='"
    if found.type == "OPEN_SQUARE" and before.type in ("NUMBER", "CLOSE") and "PLUS" in accepted:
        unit = "".join(lexeme.text for lexeme in statement.lexemes[index + 1 :]).partition("]")[0]
        return f'give the unit where the quantity is declared: (unit="{unit if 0 < len(unit) <= 20 else "..."}")'
    if before.type == "NUMBER" and found.type in ("NAME", "OPEN") and not (gives and "COMMA" in accepted):
        return "write a product with '*'"
    if found.type in _RELATIONS and "PLUS" in accepted:
        return "relations do not chain: write 'a < b and b < c'"
    if start not in KINDS and "EQUAL" in accepted and any(x.type == "SAME" for x in statement.lexemes):
        return "'==' compares; write an equation with '='"
    if line := _line_hint(statement, index, before, found):
        return line
    for place, hint in _HINTS.items():
        if all(here in ("", there) for here, there in zip(place, (start, before.type, found.type), strict=True)):
            return hint
    if "COMMA" in accepted and found.type == "NAME" and (start in _LISTS or _is_inside(statement, index)):
        return _missing_comma(found)
    if start == "CONNECT" and found.type == "NAME" and not gives and found.span.line == before.span.end_line:
        return f"a comma or 'to' is missing before '{found.text}'" if "TO" in accepted else _missing_comma(found)
    if END in accepted and (found.type == "NAME" or found.type in STARTERS):
        return "end the statement with its line, or with ';'"
    if found.type == END and "EQUAL" in accepted:
        return "an equation has the form left = right"
    return ""


def _line_hint(statement: Statement, index: int, before: Lexeme, found: Lexeme) -> str:
    if found.type == "DOTS" and [x.text for x in statement.lexemes[index + 1 : index + 2]] == ["."]:
        return "remove '...': a line goes on in the next one behind an operator or a comma, and in brackets"
    if before.type == "COMMA" and (found.type == END or found.type in STARTERS):
        return "remove the comma, or write the next element of the list behind it"
    return ""


def _missing_comma(found: Lexeme) -> Hint:
    return Hint(f"a comma is missing before '{found.text}'", Edit("replace", f", {found.text}"))


def _is_joined(first: Lexeme, second: Lexeme) -> bool:
    """True if nothing separates them."""
    return (first.span.end_line, first.span.end_column) == (second.span.line, second.span.column)


def _number_meant(number: Lexeme, behind: Lexeme) -> str:
    """How `5V`, `10uF`, `10 ohm`, `10u` or `[1, 2] ohm` is written; '' if it may be a product."""
    word = behind.text
    is_joined = _is_joined(number, behind)
    if number.type == "NUMBER" and word in PREFIXES and (is_joined or len(word) > 1):
        digits, _, exponent = number.text.lower().partition("e")
        meant = with_power(digits, exponent, word)
        return f"write an SI prefix as a number: {meant}; write a product as {number.text}*{word}"
    unit = word if begins_unit(word, 0) == word else mended(word) if len(word) > 1 else ""
    is_meant = unit and (is_joined or unit != word)
    before = number.text.replace("]", "[...]")
    return f"write the unit like this, with a space before it: {before} {unit}" if is_meant else ""


def _continuation(statement: Statement, index: int) -> tuple[Label, ...]:
    """A label that explains why the line of the lexeme at `index` belongs to the statement above, if it does."""
    if index >= len(statement.lexemes):
        return ()
    line = statement.lexemes[index].span.line
    first = next(i for i, lexeme in enumerate(statement.lexemes) if lexeme.span.line == line)
    if first == 0 or _is_inside(statement, first):
        return ()
    if statement.lexemes[first - 1].type in CONTINUING or statement.lexemes[first].type == "NAME":
        return (Label(statement.lexemes[first - 1].span, "after this the statement continues on the next line"),)
    return (Label(statement.lexemes[first].span, "a line that begins like this continues the line above"),)
