"""Formats (stage 1): text -> the same text in the standard layout, with its comments.

Changes spaces and line breaks only: numbers, words and parentheses stay as written. Each statement has its own line,
indented by two columns inside its model; an empty line separates models, other empty lines are kept, at most one at a
time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from cutset.compiler.diagnostics import Source
from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.layout import Line, Piece, joined, lay_out, moved
from cutset.compiler.syntax.lexemes import COMMENTS, Lexeme, without_comments
from cutset.compiler.syntax.lines import KINDS
from cutset.compiler.syntax.parse import is_single, parse
from cutset.compiler.syntax.print import print_tree
from cutset.compiler.syntax.spacing import Spacing
from cutset.compiler.syntax.statements import BLOCK_ENDS, DIVIDERS, Statement, read_statement

_INSIDE = 2
_OUTERMOST = frozenset({"MODEL", "FUNCTION"})
# After a comment these follow without a space.
_CLOSE_TO_COMMENT = frozenset({"CLOSE", "CLOSE_SQUARE", "COMMA", "SEMICOLON"})
# Operators after which a line can be broken, the better first; one level of parentheses counts more.
_BREAKABLE = {"THEN": 3, "OR": 4, "AND": 5, "PLUS": 6, "MINUS": 6}
_DEEPER = 10
# In these a line ends after `then`, and `else` begins a statement of its own.
_BRANCHES = frozenset({"THEN", "ELSE", "ELSEIF"})
_CONDITIONS = frozenset({"IF", "ELSEIF", "ELSE", "WHEN", "ELSEWHEN"})
_DOCUMENTED = KINDS | {"SUBMODEL", "MAIN", "CUT", "TYPE", "MODEL", "FUNCTION"}
_LISTS = KINDS | {"CUT", "PATH", "NODE", "CONNECT"}


@dataclass
class _Block:
    """A statement (`code`) with the comments in it and after it, or, if `code` is empty, comments on their own line.

    opens: it is the first line of a block; is_single: it is outside of models and has no `end`.
    """

    code: list[Lexeme]
    parts: list[Lexeme]
    behind: list[Lexeme] = field(default_factory=list)
    opens: bool = False
    is_single: bool = False

    @property
    def start(self) -> str:
        """The type of the first word of the statement; empty for comments."""
        return self.code[0].type if self.code else ""

    @property
    def last_line(self) -> int:
        """The number of its last line in the text."""
        return (self.behind or self.parts)[-1].span.end_line


def format_text(source: Source) -> str:
    """The text in the standard layout. ModelError with the errors of an invalid text."""
    tree = parse(source)
    text = "".join(line + "\n" for line in joined(_lines(_blocks(source))))
    # Formatting must never change the meaning of a model, whatever bug the layout has.
    if text != source.text and print_tree(parse(Source(source.name, text))) != print_tree(tree):
        raise AssertionError(f"the layout of {source.name} would change its meaning")
    return text


# --- attach comments to statements -----------------------------------------------------------


def _blocks(source: Source) -> list[_Block]:
    lexemes = lexer().read(source, with_comments=True)
    comments = deque(lexeme for lexeme in lexemes if lexeme.type in COMMENTS)
    blocks: list[_Block] = []
    for statement in _statements(without_comments(lexemes)):
        code = list(statement.lexemes)
        leading: list[Lexeme] = []
        while comments and _place(comments[0]) < _place(code[0]):
            comment = comments.popleft()
            if comment.span.line == code[0].span.line:
                leading.append(comment)
            else:
                _add_comment(blocks, comment)
        inner: list[Lexeme] = []
        while comments and _place(comments[0]) < _place(code[-1]):
            inner.append(comments.popleft())
        parts = leading + sorted(code + inner, key=_place)
        blocks.append(_Block(code, parts, [], statement.opens_block, is_single(statement)))
    for comment in comments:
        _add_comment(blocks, comment)
    return blocks


def _statements(lexemes: list[Lexeme]) -> Iterator[Statement]:
    position = 0
    while statement := read_statement(lexemes, position):
        position = statement.next
        yield statement


def _add_comment(blocks: list[_Block], comment: Lexeme) -> None:
    if blocks and comment.span.line == blocks[-1].last_line:
        blocks[-1].behind.append(comment)
    else:
        blocks.append(_Block([], [comment]))


def _place(lexeme: Lexeme) -> tuple[int, int]:
    return lexeme.span.line, lexeme.span.column


# --- blocks to lines -------------------------------------------------------------------------


def _lines(blocks: list[_Block]) -> Iterator[Line]:
    before: _Block | None = None
    indent = 0
    for block in blocks:
        if before and _apart(before, block):
            yield Line("")
        if block.start in _OUTERMOST | {"END"} or block.is_single:
            indent = 0
        elif block.start in DIVIDERS or block.start in BLOCK_ENDS.values():
            indent = max(_INSIDE, indent - _INSIDE)
        if block.code:
            yield from lay_out(_pieces(block), indent)
        else:
            yield _comment_line(block, indent)
        if block.start in _OUTERMOST:
            indent = _INSIDE
        elif block.opens or block.start in DIVIDERS:
            indent += _INSIDE
        before = block


def _apart(before: _Block, block: _Block) -> bool:
    """True if an empty line separates the two."""
    if before.start == "END" or (block.start in _OUTERMOST and before.start):
        return True
    in_text = block.parts[0].span.line > before.last_line + 1
    return in_text and before.start not in _OUTERMOST and block.start != "END"


def _comment_line(block: _Block, indent: int) -> Line:
    comments = block.parts + block.behind
    by = indent - (comments[0].span.column - 1)
    return Line(" " * indent + " ".join(moved(comment.text, by) for comment in comments))


def _pieces(block: _Block) -> list[Piece]:
    spacing = Spacing(block.code)
    hang = _hang(block.code, spacing)
    pieces: list[Piece] = []
    index = 0
    before: Lexeme | None = None
    for part in block.parts + block.behind:
        new_line = before is not None and part.span.line > before.span.end_line
        if part.type in COMMENTS:
            blank = before is not None and before.type not in ("OPEN", "OPEN_SQUARE")
            pieces.append(Piece(moved(part.text, 0), blank, new_line, is_comment=True))
        else:
            behind_comment = before is not None and before.type in COMMENTS and part.type not in _CLOSE_TO_COMMENT
            blank = spacing.blank[index] or behind_comment
            bracket = spacing.opens(index) - spacing.closes(index)
            rank = _rank(spacing, block.code, index)
            documents = _is_documentation(spacing, block.code, index)
            pieces.append(Piece(part.text, blank, new_line, bracket, index == hang, rank, documents=documents))
            index += 1
        before = part
    return pieces


def _hang(code: list[Lexeme], spacing: Spacing) -> int | None:
    """The index of the lexeme under which further lines of the statement are indented."""
    if code[0].type in _LISTS:
        return 1
    if code[0].type in ("MAIN", "SUBMODEL"):
        return 2 if code[0].type == "MAIN" else 4
    equals = (i + 1 for i, lexeme in enumerate(code) if lexeme.type in ("EQUAL", "ASSIGN") and not spacing.depth[i])
    return next(equals, None)


def _rank(spacing: Spacing, code: list[Lexeme], index: int) -> int | None:
    """How well a long line can be broken after this lexeme: outside of parentheses rather than inside, and there after
    a comma, before documentation, before `else`, after `then`, or after an operator of a condition or sum."""
    if index + 1 == len(code):
        return None
    this, following, depth = code[index].type, code[index + 1].type, spacing.depth[index]
    if this == "SEMICOLON":
        return depth * _DEEPER - 1
    if this == "COMMA" and spacing.blank[index + 1]:
        return depth * _DEEPER
    if _is_documentation(spacing, code, index + 1):
        return 1
    if {this, following} & _BRANCHES and not depth and code[0].type in _CONDITIONS:
        return None
    if following in ("ELSE", "ELSEIF"):
        return depth * _DEEPER + 2
    if this in _BREAKABLE and spacing.is_binary(index):
        return depth * _DEEPER + _BREAKABLE[this]
    return None


def _is_documentation(spacing: Spacing, code: list[Lexeme], index: int) -> bool:
    """True for the string after a declaration."""
    is_outside = code[index].type == "TEXT" and not spacing.depth[index]
    return is_outside and code[0].type in _DOCUMENTED and code[index - 1].type not in ("EQUAL", "INCLUDE")
