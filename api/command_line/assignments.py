"""Reads values by name from words of a command line, NAME=VALUE, and from files of values, @FILE.toml."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cutset.contract.number_texts import advice

Assignment = tuple[str, Any]
# A file of values has fewer bytes than this.
_MOST_BYTES = 10_000_000


def assignments(text: str) -> list[Assignment]:
    """The values by name in NAME=VALUE, or those in the file of @FILE: numbers, lists of numbers for vectors and
    matrices, names of enumeration values. ArgumentTypeError for anything else."""
    return _of_file(Path(text[1:])) if text.startswith("@") else [_of_word(text)]


def _of_word(text: str) -> Assignment:
    name, sign, value = (part.strip() for part in text.partition("="))
    if not sign or not name or not value:
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form NAME=NUMBER, without spaces")
    first, _, rest = value.partition(",")
    if not value.startswith("[") and first != value and (not rest or "=" in rest):
        several = f"{name}={first} {rest or 'OTHER=NUMBER'}"
        raise argparse.ArgumentTypeError(f"'{text}': a space separates two values: {several}")
    if hint := advice(value):
        raise argparse.ArgumentTypeError(f"{name} must be a number, not '{value}'; {hint}")
    try:
        if value.startswith("[") and value.endswith("]"):
            rows = [[float(number) for number in row.split(",")] for row in value[1:-1].split(";")]
            return name, rows[0] if len(rows) == 1 else rows
        return name, float(value)
    except ValueError:
        return name, value


def _of_file(path: Path) -> list[Assignment]:
    import tomllib

    if path.suffix.lower() != ".toml":
        raise argparse.ArgumentTypeError(f"the name of a file of values must end in .toml, unlike '@{path}'")
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise argparse.ArgumentTypeError(f"{path} has more than {_MOST_BYTES} bytes")
        return list(_flat(tomllib.loads(data.decode("utf-8")), "", path))
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot read {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"{path} is not TOML: {error}") from error


def _flat(table: Mapping[str, Any], prefix: str, path: Path) -> Iterator[Assignment]:
    """A table [arm.r1] with q = 1 has the name arm.r1.q; "arm.r1.q" = 1 is the same."""
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{name}.", path)
        else:
            yield name, _value(value, name, path)


def _value(value: Any, name: str, path: Path) -> Any:
    if isinstance(value, list) and value:
        return [_value(part, name, path) for part in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value)
    if isinstance(value, str) and value:
        return value
    raise argparse.ArgumentTypeError(f"{path}: the value of '{name}' must be a number, a list of numbers, or a name")
