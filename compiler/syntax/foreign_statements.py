"""Recognizes statements of other languages (stage 1): an invalid statement -> its probable meaning, how to write it.

Runs only if the grammar has refused a statement, so it cannot forbid a valid one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cutset.compiler.diagnostics import Diagnostic, Edit, Hint, Span
from cutset.compiler.syntax import explain
from cutset.compiler.syntax.lexemes import ELEMENTWISE, Lexeme
from cutset.compiler.syntax.lines import KINDS
from cutset.compiler.syntax.quotes import OPERAND_ENDS
from cutset.compiler.syntax.statements import CONTINUING, STARTERS, Statement
from cutset.contract.functions import FUNCTIONS

# Operators of other languages, and the replacement here.
_OPERATORS = {
    "!=": "'<>'", "~=": "'<>'", "&&": "'and'", "||": "'or'", "=<": "'<='", "=>": "'>='",
    "+=": "x = ..., or in a function x := x + "
          "y", "-=": "x = ..., or in a function x := x - y", "?": "'if c then a else b'",
}  # fmt: skip
_MARKS = frozenset({"<>", "and", "or", "<=", ">="})
_ELEMENTWISE = {".+", ".-"}
# First words of statements in other languages: their meaning, and what to write.
_WORDS = {
    "equation": ("models have no equation section", "remove this line: equations can be anywhere in a model"),
    "algorithm": ("models have no algorithms", "write equations, or a function: in a function, ':=' assigns"),
    "protected": ("models have no protected section", "declare hidden variables as 'local'"),
    "public": ("models have no public section", "declare visible variables as 'terminal' or 'parameter'"),
    "extends": ("the first line of a class names its superclasses", "write: model class (Super) Name"),
    "import": ("'@' includes other files", "write '@name' before the models"),
    "within": ("there are no packages", "remove this line"),
    "package": ("there are no packages: a file contains classes", "remove this line and its 'end'"),
    "annotation": (
        "there are no annotations",
        "remove it; document a declaration with a string after it, and give the stop time of runs with: "
        "experiment (stop=10)",
    ),
    "elif": ("'elif' is not a keyword", "write 'elseif'"),
    "elsif": ("'elsif' is not a keyword", "write 'elseif'"),
    "connector": ("connectors are called cuts", "write: cut class Pin (v / i)"),
    "block": ("every class is a model", "write: model class Name"),
    "partial": ("any class can be a superclass", "write: model class Name"),
    "stream": ("what a flow carries comes after it in a cut", "write: cut A (p / m, carried h)"),
    "flow": ("through variables come after '/' in a cut", "write: cut A (v / i)"),
    "def": ("a function begins with 'function'", "write: function f(x) result y"),
    "class": ("a model begins with 'model'", "write: model class Name"),
    "record": (
        "there are no records",
        "write a model class with parameters: model class Name",
    ),
    "outer": ("there is no 'outer'", "declare a variable of an enclosing model like this: external x"),
    "inner": ("there is no 'inner'", "declare a variable for all submodels like this: internal x"),
    "replaceable": ("replaceable classes are class parameters", "write: model class Name(class Part = Base)"),
    "redeclare": (
        "replaceable classes are class parameters",
        "give the class in the parentheses of the submodel's class",
    ),
    "final": ("there is no 'final'", "remove the word, or declare a constant"),
    "each": ("there is no 'each'", "remove the word"),
    "reinit": ("an equation for the initial value restarts a state", "write in a 'when': init(x) = ..."),
    "return": ("the result of a function has a name", "assign to it: y := ..."),
}
_OTHER_KEYWORDS = {
    "elif": "elseif",
    "elsif": "elseif",
    "block": "model class",
    "outer": "external",
    "inner": "internal",
}
_TYPES = {"Real", "Integer", "Boolean", "String", "double", "float", "int", "bool", "real", "var", "let", "discrete"}
_OF_ONE = {row.name for row in FUNCTIONS.values() if row.arity == 1} | {"der", "init", "new", "sum", "norm"}
_LANGUAGE = {kind.lower(): kind for kind in (STARTERS | CONTINUING) - {"INCLUDE"} if kind.isalpha()}
_NOT_WORDS = {"comma", "equal", "colon", "dot", "dots", "less", "greater", "same", "different", "plus", "minus", "star"}

# Types of quantities in other libraries, and the unit to write here instead.
_QUANTITIES = {
    "Mass": "kg", "Length": "m", "Position": "m", "Distance": "m", "Radius": "m", "Diameter": "m", "Height": "m",
    "Area": "m2",
    "Volume": "m3", "Density": "kg/m3", "Time": "s", "Duration": "s", "Frequency": "Hz", "Velocity": "m/s",
    "Acceleration": "m/s2",
    "Angle": "rad", "AngularVelocity": "rad/s", "AngularAcceleration": "rad/s2", "Force": "N", "Torque": "N.m",
    "Inertia": "kg.m2", "MomentOfInertia": "kg.m2", "Pressure": "Pa", "Energy": "J", "Power": "W", "Voltage": "V",
    "ElectricPotential": "V", "Current": "A", "ElectricCurrent": "A", "Charge": "C", "ElectricCharge": "C",
    "Resistance": "Ohm",
    "Conductance": "S", "Capacitance": "F", "Inductance": "H", "Temperature": "K", "Heat": "J", "HeatFlowRate": "W",
    "HeatCapacity": "J/K", "ThermalConductance": "W/K", "ThermalResistance": "K/W", "MassFlowRate": "kg/s",
    "VolumeFlowRate": "m3/s", "TranslationalSpringConstant": "N/m", "TranslationalDampingConstant": "N.s/m",
    "RotationalSpringConstant": "N.m/rad", "RotationalDampingConstant": "N.m.s/rad",
}  # fmt: skip
_ATTRIBUTES = {"start", "fixed", "min", "max", "nominal", "state", "unit", "display", "symmetric"}
_COMMENT = re.compile(r"\s*(\{[^}]*\})")
_NEEDS_OPERAND = {"EQUAL", "ASSIGN", "COMMA", "OPEN", "PLUS", "MINUS", "STAR", "SLASH", "POWER", "POWER_STARS"}.union(
    ELEMENTWISE
)
_CANNOT_FOLLOW = {"COMMA", "CLOSE", "STAR", "SLASH", "POWER", "POWER_STARS", *ELEMENTWISE, "TRANSPOSE", "EQUAL"}

_Rule = Callable[[tuple[Lexeme, ...], int], Diagnostic | None]


def foreign_statement(statement: Statement, index: int) -> Diagnostic | None:
    """E116 to E132 for a statement that is invalid at `index` (its length for the end), or None."""
    for rule in _RULES:
        diagnostic = rule(statement.lexemes, index)
        if diagnostic is not None:
            return diagnostic
    return None


def _comment(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    if index and lexemes[index - 1].text == "%":  # read as a unit: 5 %
        index -= 1
    if index >= len(lexemes) or lexemes[index].text != "%":
        return None
    line = [lexeme for lexeme in lexemes[index:] if lexeme.span.line == lexemes[index].span.line]
    return explain.foreign_comment("%", line[0].span.to(line[-1].span), ())


def _decimal_comma(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    for comma in (index, index - 1):
        if 1 <= comma < len(lexemes) - 1 and lexemes[comma].text == ",":
            before, after = lexemes[comma - 1], lexemes[comma + 1]
            if lexemes[0].type == "SUBMODEL" and lexemes[comma - 2].type == "OPEN":
                continue  # dimensions; an array of submodels has one
            whole = before.text + "." + after.text
            is_number = before.type == after.type == "NUMBER" and before.text.isdigit()
            if is_number and _joined(lexemes, comma - 1) and _joined(lexemes, comma):
                message = "here the comma separates two numbers"
                hint = Hint(f"for one number write {whole}", Edit("replace", whole))
                return Diagnostic("E117", message, before.span.to(after.span), hint)
    return None


def _operator(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    for k in (index - 1, index):
        if not 0 <= k < len(lexemes):
            continue
        pair = _joined(lexemes, k)
        mark = pair if pair in _OPERATORS else lexemes[k].text if k == index else ""
        if pair in _ELEMENTWISE:
            span = lexemes[k].span.to(lexemes[k + 1].span)
            plain = pair.removeprefix(".")
            hint = Hint(f"sums of arrays are always element by element: write '{plain}'", Edit("replace", plain))
            return Diagnostic("E118", f"'{pair}' is not an operator", span, hint)
        if mark in _OPERATORS:
            span = lexemes[k].span.to(lexemes[k + 1].span) if mark == pair else lexemes[k].span
            meant = _OPERATORS[mark]
            edits = [Edit("replace", meant.strip("'"))] if meant.strip("'") in _MARKS else []
            return Diagnostic("E118", f"'{mark}' is not an operator", span, Hint(f"write {meant}", *edits))
    return None


def _equal_in_condition(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    if not 1 <= index < len(lexemes) or lexemes[index].type != "EQUAL" or lexemes[index - 1].type not in OPERAND_ENDS:
        return None
    opener = next(
        (x for x in reversed(lexemes[:index]) if x.type in ("IF", "ELSEIF", "WHEN", "ELSEWHEN", "WHILE", "THEN")), None
    )
    if opener is None or opener.type == "THEN":
        return None
    return Diagnostic(
        "E119",
        "'=' makes an equation, but this is a condition",
        lexemes[index].span,
        Hint("write '==' to compare", Edit("replace", "==")),
    )


def _word(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    places = [0] if lexemes[0].text in _WORDS else []
    inside = range(max(index - 1, 1), min(index + 1, len(lexemes)))
    places += [k for k in inside if lexemes[k].text in ("annotation", "each", "final", "redeclare", "replaceable")]
    if not places or (lexemes[places[0]].type != "NAME" and lexemes[places[0]].text != "class"):
        return None
    word = lexemes[places[0]]
    message, hint = _WORDS[word.text]
    if word.text in _OTHER_KEYWORDS:
        hint = Hint(hint, Edit("replace", _OTHER_KEYWORDS[word.text]))
    return Diagnostic("E120", message, word.span, hint)


def _capitals(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    first = lexemes[0]
    word = first.text.lower()
    if first.type != "NAME" or word == first.text or word not in _LANGUAGE or word in _NOT_WORDS:
        return None
    return explain.capitals(first)


def _declaration(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    """`parameter Real R`, `Real x`, `SI.Mass m = 1`, `Resistor R1`: a word before a name without parentheses."""
    if lexemes[0].type in KINDS and index == 2 and lexemes[1].type == "NAME":
        while [x.type for x in lexemes[index : index + 2]] == ["DOT", "NAME"]:
            index += 2
    at = index - 1
    if not 0 <= at < len(lexemes) - 1 or not lexemes[at].type == lexemes[index].type == "NAME":
        return None
    first = at
    while first >= 2 and lexemes[first - 1].type == "DOT" and lexemes[first - 2].type == "NAME":
        first -= 2
    kind, name = lexemes[at].text, lexemes[index].text
    is_type = kind in _TYPES or kind in _QUANTITIES
    given = lexemes[index + 1 : index + 2] and lexemes[index + 1].type == "EQUAL"
    unit = f' (unit="{_QUANTITIES[kind]}")' if kind in _QUANTITIES else ""
    if first == 1 and lexemes[0].type in KINDS and (is_type or kind[:1].isupper()):
        of_type = f"{lexemes[0].text} ({kind}) {name}"
        hint = f"write: {lexemes[0].text} {name}{unit}" + ("" if unit else f", or with a type: {of_type}")
    elif first == 0 and is_type:
        declared = f"parameter {name}{unit} = ..." if given else f"local {name}{unit}, parameter {name}{unit}"
        hint = f"declare whether it is a variable or a parameter: {declared}"
    elif first == 0 and kind[:1].isupper():
        hint = f"if '{kind}' is a class: submodel ({kind}) {name}"
    else:
        return None
    span = lexemes[first].span.to(lexemes[at].span)
    text = "".join(lexeme.text for lexeme in lexemes[first : at + 1])
    return Diagnostic("E121", f"the name '{text}' cannot come before another name", span, hint)


def _argument(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    if not 1 <= index < len(lexemes) or lexemes[index].type not in ("NAME", "NUMBER"):
        return None
    function, argument = lexemes[index - 1], lexemes[index]
    if function.text not in _OF_ONE:
        return None
    message = f"the argument of '{function.text}' must be in parentheses"
    call = f"{function.text}({argument.text})"
    hint = Hint(f"write {call}", Edit("replace", call))
    return Diagnostic("E122", message, function.span.to(argument.span), hint)


def _square_index(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    if not 1 <= index < len(lexemes) or lexemes[index].type != "OPEN_SQUARE" or lexemes[index - 1].type != "NAME":
        return None
    close = next((k for k in range(index, len(lexemes)) if lexemes[k].type == "CLOSE_SQUARE"), index)
    name = lexemes[index - 1]
    inner = "".join(lexeme.text for lexeme in lexemes[index + 1 : close])
    span = lexemes[index].span.to(lexemes[close].span)
    hint = f"write {name.text}(...)"
    if 0 < len(inner) <= 40:
        hint = Hint(f"write {name.text}({inner})", Edit("replace", f"({inner})"))
    return Diagnostic("E123", "an index must be in parentheses", span, hint)


def _connect(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    """`connect(a.p, b.n)`"""
    types = [lexeme.type for lexeme in lexemes]
    if types[:2] != ["CONNECT", "OPEN"] or index >= len(lexemes) or types[index] not in ("COMMA", "DOT"):
        return None
    inner = "".join(lexeme.text for lexeme in lexemes[2:]).rpartition(")")[0].replace(".", ":")
    first, comma, second = inner.partition(",")
    hint = (
        f"write: connect {first} to {second}"
        if comma and len(inner) <= 60
        else "write: connect a to b, or a:cut to b:cut"
    )
    span = lexemes[1].span.to(lexemes[-1].span)
    return Diagnostic("E124", "'connect' takes no parentheses; 'to' or 'at' joins what it connects", span, hint)


def _range(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    if not 0 < index < len(lexemes):
        return None
    found = lexemes[index]
    is_range = found.text == ":" and _depth(lexemes, index) and lexemes[index - 1].type in OPERAND_ENDS
    if is_range and lexemes[0].type not in ("CONNECT", "CUT", "MAIN"):
        return Diagnostic(
            "E125", "a range is written with '..'", found.span, "write: x(1..2); ':' alone selects all elements"
        )
    if found.type == "FOR" and lexemes[0].type != "FOR":
        hint = "an array of all rounds is [x(k)^2 for k = 1..3], their sum is sum([x(k)^2 for k = 1..3])"
        return Diagnostic("E125", "a 'for' inside an expression stands in square brackets", found.span, hint)
    if lexemes[0].type != "FOR":
        return None
    if found.text not in ("in", ":"):
        return None
    return Diagnostic("E125", "the range of a 'for' is written with '=' and '..'", found.span, "write: for k = 1..3 do")


def _inner_if(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    if not 1 <= index < len(lexemes) or lexemes[index].type != "IF":
        return None
    if lexemes[index - 1].type not in (_NEEDS_OPERAND - {"EQUAL", "ASSIGN", "COMMA", "OPEN"}) | {"AND", "OR", "NOT"}:
        return None
    message = "an 'if' inside an expression must be in parentheses"
    return Diagnostic("E126", message, lexemes[index].span, "write: a + (if c then b else d)")


def _connection(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    """`R2 at (R:A, R:B)` on its own line."""
    joiner = next((x for x in lexemes if x.type in ("TO", "AT", "PAR", "LOOP")), None)
    if joiner is None or lexemes[0].type not in ("NAME", "REVERSED") or index >= len(lexemes):
        return None
    if lexemes[index].type not in ("TO", "AT", "PAR", "LOOP", "COLON", "REVERSED"):
        return None
    if any(lexeme.type in ("EQUAL", "ASSIGN") for lexeme in lexemes[:index]):
        return None
    hint = "add a comma at the end of the line above, or 'connect' at the beginning of this line"
    span = lexemes[0].span.to(lexemes[-1].span)
    return Diagnostic("E124", "this connection is not part of a 'connect'", span, hint)


def _braces(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    """`x = {1, 2}`: the comment is where an operand should be."""
    for k in range(min(index, len(lexemes))):
        span = lexemes[k].span
        comment = _COMMENT.match(span.source.line(span.end_line), span.end_column - 1)
        behind = lexemes[k + 1] if k + 1 < len(lexemes) else None
        is_open = behind is None or behind.span.line > span.end_line or behind.type in _CANNOT_FOLLOW
        if not (comment and is_open and lexemes[k].type in _NEEDS_OPERAND):
            continue
        line = span.end_line
        place = Span(span.source, line, comment.start(1) + 1, line, comment.end(1) + 1)
        hint = "write an array as [1, 2, 3], a matrix as [1, 2; 3, 4]"
        if lexemes[0].type == "TYPE":
            hint = f"write: type {lexemes[1].text} = (A, B)"
        return Diagnostic("E131", "text in { } is a comment", place, hint)
    return None


def _attribute(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    """`parameter R = 5 (unit="Ohm")`, `local x start=1`"""
    if lexemes[0].type not in KINDS:
        return None
    for k in range(max(index - 2, 2), min(index + 2, len(lexemes) - 2)):
        if lexemes[k].text not in _ATTRIBUTES or lexemes[k + 1].type != "EQUAL":
            continue
        in_brackets = lexemes[k - 1].type == "OPEN"
        first = k - in_brackets
        # The item of the list that contains it.
        begin = max(i for i in range(first) if i == 0 or lexemes[i].type == "COMMA")
        item = lexemes[begin + 1 : first]
        value = next((i for i, lexeme in enumerate(item) if lexeme.type == "EQUAL"), None)
        if _depth(lexemes, first) or not item or (in_brackets and value is None):
            continue
        name = item[0].text if value in (None, 1) and item[0].type == "NAME" else "x"
        hint = f"write: {name} ({lexemes[k].text}={lexemes[k + 2].text})" + (" = ..." if value is not None else "")
        message = (
            "attributes come before '='" if value is not None else "attributes must be in parentheses after the name"
        )
        return Diagnostic("E132", message, lexemes[first].span.to(lexemes[k + 2].span), hint)
    return None


def _extends(lexemes: tuple[Lexeme, ...], index: int) -> Diagnostic | None:
    """`model M extends B`"""
    if lexemes[0].type != "MODEL" or not 2 <= index < len(lexemes) or lexemes[index].text != "extends":
        return None
    base = lexemes[index + 1].text if index + 1 < len(lexemes) else "Super"
    hint = f"write: model class ({base}) {lexemes[index - 1].text}"
    return Diagnostic("E120", _WORDS["extends"][0], lexemes[index].span, hint)


def _depth(lexemes: tuple[Lexeme, ...], index: int) -> int:
    """The number of open parentheses before lexeme `index`."""
    return sum((lexeme.type == "OPEN") - (lexeme.type == "CLOSE") for lexeme in lexemes[:index])


def _joined(lexemes: tuple[Lexeme, ...], k: int) -> str:
    """The texts of lexeme k and the next, if no space separates them."""
    if not 0 <= k < len(lexemes) - 1 or _end(lexemes[k].span) != (lexemes[k + 1].span.line, lexemes[k + 1].span.column):
        return ""
    return lexemes[k].text + lexemes[k + 1].text


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


_RULES: tuple[_Rule, ...] = (
    _comment, _braces, _extends, _connection, _decimal_comma, _operator, _equal_in_condition, _word, _attribute,
    _capitals, _connect, _range, _inner_if,
    _square_index, _argument, _declaration,
)  # fmt: skip
