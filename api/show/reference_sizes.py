"""Reads reference sizes of a model, published or of an earlier translation, which `inspect` shows next to its own.

A file of sizes is a JSON object with any of the keys of `inspect --json`, a `name` that heads its column, and a
`source`; or a list of such objects, one per column.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutset.api.files.exit_errors import CommandFailed

_COUNTS = ("equations", "unknowns", "aliases", "states", "blocks", "differentiated_equations")
_SYSTEMS = ("linear_systems", "nonlinear_systems")
# Names of counts in each group; all are optional.
_GROUPS = {
    "operations": ("mul_div", "add_sub", "functions"),
    "events": ("discrete_variables", "whens", "initial_equations", "assertions", "delays", "relations"),
}
_WORDS = ("name", "source")
# Further keys of `inspect --json`, which are not compared.
_PASSED_OVER = ("work", "start", "parameters_folded", "time_seconds", "components", "variables", "against")


@dataclass(frozen=True)
class Published:
    """Reference sizes: `sizes` has the keys of `Model.inspect`, as far as they are known; `source` may be empty."""

    name: str
    source: str
    sizes: dict[str, Any]


def read_sizes(path: Path) -> tuple[Published, ...]:
    """The sizes in a file, at least one. CommandFailed if the file cannot be read or contains something else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandFailed(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise CommandFailed(f"cannot read {path}: it is not JSON: {error}") from error
    columns = found if isinstance(found, list) else [found]
    if not columns or not all(isinstance(column, dict) for column in columns):
        raise CommandFailed(
            f'cannot read {path}: sizes must be one object, {{"states": 36, ...}}, or a list of such objects'
        )
    return tuple(_column(path, column) for column in columns)


def _column(path: Path, found: dict[str, Any]) -> Published:
    for key, value in found.items():
        wanted = _what_is_wanted(key, value)
        if wanted:
            raise CommandFailed(f"cannot read {path}: {wanted}")
    sizes = {key: value for key, value in found.items() if key not in (*_WORDS, *_PASSED_OVER)}
    name = found.get("name") or path.stem
    # A stored translation has the name of its model, often the same one.
    return Published(f"{name} in {path.name}" if "time_seconds" in found else name, found.get("source", ""), sizes)


def _what_is_wanted(key: str, value: object) -> str:
    """What is wrong with an entry; empty if nothing is."""
    if key in _PASSED_OVER:
        return ""
    if key in _WORDS:
        return "" if isinstance(value, str) else f"'{key}' must be a string"
    if key in _COUNTS:
        return "" if _is_count(value) else f"'{key}' must be a number"
    if key in _SYSTEMS:
        right = isinstance(value, list) and all(_are_counts(system, ("size", "torn"), True) for system in value)
        return "" if right else f"""'{key}' must be a list of systems, [{{"size": 137, "torn": 6}}, ...]"""
    if key in _GROUPS:
        return (
            "" if _are_counts(value, _GROUPS[key], False) else f"'{key}' must have numbers of {', '.join(_GROUPS[key])}"
        )
    known = (*_WORDS, *_COUNTS, *_SYSTEMS, *_GROUPS)
    near = difflib.get_close_matches(key, known, 1)
    return f"'{key}' is not a size; " + (
        f"did you mean '{near[0]}'?" if near else f"the sizes are {', '.join(known[2:])}"
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_counts(value: object, names: tuple[str, ...], is_whole: bool) -> bool:
    """True for an object of counts with these names, or some of them."""
    if not isinstance(value, dict) or not all(map(_is_count, value.values())):
        return False
    return set(value) == set(names) if is_whole else set(value) <= set(names)
