"""Parts names of submodels and variables at their marks: `a.b.x(1)`.

A mark inside a quoted part, as in `a.'node 3.1+'.x`, belongs to that part.
"""

from __future__ import annotations

import re
from collections.abc import Callable

# What the compiler adds has this character in its name.
MADE = "$"
# The last parts of names, before a number: inputs for noise, its densities, inputs at sources of small signals.
NOISE, DENSITY, SOURCE = f"{MADE}noise", f"{MADE}density", f"{MADE}source"
_QUOTED = re.compile("'[^']*'")
_IN_BRACES = re.compile(r"\{((?:'[^']*'|[^{}'])+)\}")


def rpartition(name: str, mark: str = ".") -> tuple[str, str, str]:
    """`str.rpartition`, but for marks inside quotes."""
    if "'" not in name:
        return name.rpartition(mark)
    at = _covered(name).rfind(mark)
    return ("", "", name) if at < 0 else (name[:at], mark, name[at + len(mark) :])


def partition(name: str, mark: str = ".") -> tuple[str, str, str]:
    """`str.partition`, but for marks inside quotes."""
    first, *rest = split(name, mark, 1)
    return (first, mark, rest[0]) if rest else (name, "", "")


def split(name: str, mark: str = ".", most: int = -1) -> list[str]:
    """`str.split`, but for marks inside quotes."""
    if "'" not in name:
        return name.split(mark, most)
    parts, covered = [], _covered(name)
    while most and (at := covered.find(mark)) >= 0:
        parts.append(name[:at])
        name, covered, most = name[at + len(mark) :], covered[at + len(mark) :], most - 1
    return [*parts, name]


def is_made(name: str) -> bool:
    """True for a name that the compiler made."""
    return MADE in name and MADE in _covered(name)


def inflow_name(name: str) -> str:
    """The name of what flows in of a quantity that a flow carries."""
    return f"inflow({name})"


def disturbance_name(name: str) -> str:
    """The name of the input that disturbs a signal."""
    return f"disturbance({name})"


def density_of(name: str) -> str:
    """The name of the density of noise at an input; empty for another input."""
    path, dot, own = rpartition(name)
    return f"{path}{dot}{DENSITY}{own.removeprefix(NOISE)}" if own.startswith(NOISE) else ""


def filled(text: str, words_for: Callable[[str], str | None]) -> str:
    """The text with words for what it has in braces, `level = {tank.h} m`; what they are None for stays as it is."""
    return _IN_BRACES.sub(lambda found: found[0] if (words := words_for(found[1])) is None else words, text)


def label(text: str) -> str:
    """The text for matplotlib, which takes what is between dollars for a formula."""
    return text.replace("$", r"\$")


def _covered(name: str) -> str:
    """A text of the same length without marks of the quoted parts."""
    return _QUOTED.sub(lambda found: "_" * len(found[0]), name)
