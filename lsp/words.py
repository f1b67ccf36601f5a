"""Groups the words of the language as editors color them: the tables of the compiler -> lists of words."""

from __future__ import annotations

from cutset.compiler.syntax.grammar import lexer
from cutset.compiler.syntax.lines import KINDS
from cutset.lsp.facts import PREDEFINED, builtin_names

_DECLARING = frozenset(
    {"MODEL", "CLASS", "TYPE", "FUNCTION", "SUBMODEL", "MAIN", "CUT", "PATH", "NODE", "EXPERIMENT", "END"}
)
_CONNECTING = frozenset({"CONNECT", "TO", "AT", "PAR", "LOOP", "REVERSED"})
_LOGICAL = frozenset({"AND", "OR", "NOT"})
_GROUPS = (("modifiers", KINDS), ("declaring", _DECLARING), ("connecting", _CONNECTING), ("operators", _LOGICAL))


def keywords() -> dict[str, list[str]]:
    """All keywords, each in one group."""
    groups: dict[str, list[str]] = {}
    for word, kind in lexer().words.items():
        group = next((name for name, kinds in _GROUPS if kind in kinds), "control")
        groups.setdefault(group, []).append(word)
    return groups


def words() -> dict[str, list[str]]:
    """The keywords by group, the built-in functions, and the predefined names."""
    return {**keywords(), "functions": builtin_names(), "constants": sorted(PREDEFINED.keys() - {"e"})}
