"""Reads files of tests, ``NAME.test.toml``, into cases. A wrong file is an error that names the test and the key."""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cutset.api.files.exit_errors import CommandFailed
from cutset.api.translate.parameter_values import in_own_unit
from cutset.compiler.units.quantities import split_quantity
from cutset.runtime.errors import RunError

PATTERN = "*.test.toml"
# Values for all tests of a file stand in this table.
DEFAULTS = "defaults"
# A value may differ by this part of its size or of the variable's range.
TOLERANCE = 2e-3
_MOST_BYTES = 10_000_000
_TIMES = dict.fromkeys(("start", "stop", "interval", "max_step"), "s")
_NUMBERS = ("start", "stop", "interval", "rtol", "atol", "max_step")
_TEXTS = ("method", "target")
_OTHER = (
    "model", "object", "include", "instead", "set", "input", "points", "expect", "at", "tolerance", "reference",
    "compare", "tube", "holds", "verify", "fails", "external",
)  # fmt: skip
_KEYS = frozenset({*_NUMBERS, *_TEXTS, *_OTHER})


@dataclass(frozen=True)
class Expected:
    """A value that a quantity must have: `quantity` is a variable, or ``min(x)``, ``max(x)`` or ``mean(x)`` over the
    run, perhaps with a unit, "5 mV"; `time` None means the end of the run. `within` is the largest difference, None to
    follow from the tolerance."""

    quantity: str
    value: float | str | tuple[float | str, ...]
    time: float | None = None
    within: float | None = None


@dataclass(frozen=True)
class Case:
    """One test. `settings` are arguments of `Model.simulate`, `values` those of --set, `inputs` the files of --input.
    `reference` is a file of results that the run must stay close to (within `tube` of each variable's range), for the
    variables that match `compare`; `fails` the code of the error that is expected."""

    name: str
    file: Path
    model: Path
    object: str | None = None
    include: tuple[Path, ...] = ()
    instead: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    inputs: tuple[Path, ...] = ()
    expected: tuple[Expected, ...] = ()
    tolerance: float = TOLERANCE
    reference: Path | None = None
    compare: tuple[str, ...] = ("*",)
    tube: float = TOLERANCE
    holds: tuple[str, ...] = ()
    verify: bool = False
    fails: str | None = None
    external: bool = False


def cases_in(path: Path, root: Path) -> tuple[Case, ...]:
    """The tests of a file in their order; the files they name must lie below `root` or the file's own folder.
    CommandFailed for a file that cannot be read, or a wrong key or value."""
    tables = _tables(path)
    defaults = tables.pop(DEFAULTS, {})
    cases = []
    for name, table in tables.items():
        if not isinstance(table, Mapping):
            raise CommandFailed(f"{path}: '{name}' stands outside of a test; put it below a line [NAME of the test]")
        cases.append(_Reader(path, root, name, {**defaults, **table}).case())
    if not cases:
        raise CommandFailed(f"{path} has no tests; a test begins with a line [NAME]")
    return tuple(cases)


def _tables(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise CommandFailed(f"{path} has more than {_MOST_BYTES} bytes")
        return tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise CommandFailed(f"cannot read {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CommandFailed(f"{path} is not TOML: {error}") from error


@dataclass(frozen=True)
class _Reader:
    """Reads the table of one test."""

    path: Path
    root: Path
    name: str
    table: Mapping[str, Any]

    def case(self) -> Case:
        """The case. CommandFailed for the first mistake."""
        for key in self.table:
            if key not in _KEYS:
                near = difflib.get_close_matches(key, _KEYS, n=1)
                hint = f"; did you mean '{near[0]}'?" if near else f"; the keys are {', '.join(sorted(_KEYS))}"
                raise self._wrong(f"there is no key '{key}'{hint}")
        if "model" not in self.table:
            raise self._wrong("model is missing: the file of the model to test")
        settings: dict[str, float | str] = {key: self._number(key) for key in _NUMBERS if key in self.table}
        settings |= {key: self._text(key) for key in _TEXTS if key in self.table}
        if "points" in self.table:
            settings["points"] = self._whole("points")
        case = Case(
            name=self.name,
            file=self.path,
            model=self._path(self._text("model"), "model"),
            object=self._text("object") if "object" in self.table else None,
            include=self._paths("include"),
            instead=self._texts_by_name("instead"),
            settings=settings,
            values=self._table_of("set"),
            inputs=self._paths("input"),
            expected=self._expected(),
            tolerance=self._positive("tolerance"),
            reference=self._path(self._text("reference"), "reference") if "reference" in self.table else None,
            compare=self._texts("compare") or ("*",),
            tube=self._positive("tube"),
            holds=self._texts("holds"),
            verify=self._flag("verify"),
            fails=self._text("fails") if "fails" in self.table else None,
            external=self._flag("external"),
        )
        self._check(case)
        return case

    def _check(self, case: Case) -> None:
        checks = bool(case.expected or case.reference or case.holds)
        if case.fails and (checks or case.verify):
            raise self._wrong("a test with 'fails' has no other expectation")

    def _wrong(self, what: str) -> CommandFailed:
        return CommandFailed(f"{self.path}: test '{self.name}': {what}")

    def _text(self, key: str) -> str:
        value = self.table[key]
        if not isinstance(value, str) or not value:
            raise self._wrong(f"{key} must be a text, not {value!r}")
        return value

    def _texts(self, key: str) -> tuple[str, ...]:
        value = self.table.get(key, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(each, str) and each for each in values):
            raise self._wrong(f"{key} must be a text or a list of texts, not {value!r}")
        return tuple(values)

    def _number(self, key: str) -> float:
        """A time may have a unit: stop = "2 min"."""
        value = self.table[key]
        try:
            return self._as_number(in_own_unit(key, value, _TIMES), key)
        except RunError as error:
            raise self._wrong(error.message) from error

    def _as_number(self, value: Any, key: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
            raise self._wrong(f"{key} must be a number, not {value!r}")
        return float(value)

    def _positive(self, key: str) -> float:
        value = self._as_number(self.table.get(key, TOLERANCE), key)
        if not 0.0 <= value < math.inf:
            raise self._wrong(f"{key} must be a number of at least 0, not {value!r}")
        return value

    def _whole(self, key: str) -> int:
        value = self.table[key]
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(f"{key} must be a whole number, not {value!r}")
        return value

    def _flag(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            raise self._wrong(f"{key} must be true or false, not {value!r}")
        return value

    def _table_of(self, key: str) -> Mapping[str, Any]:
        value = self.table.get(key, {})
        if not isinstance(value, Mapping):
            raise self._wrong(f'{key} must be a table, such as {{ "R.R" = 500.0 }}, not {value!r}')
        return value

    def _texts_by_name(self, key: str) -> Mapping[str, str]:
        table = self._table_of(key)
        for name, value in table.items():
            if not isinstance(value, str):
                raise self._wrong(f"{key}: '{name}' must be a text, not {value!r}")
        return table

    def _paths(self, key: str) -> tuple[Path, ...]:
        return tuple(self._path(each, key) for each in self._texts(key))

    def _path(self, text: str, key: str) -> Path:
        """The file, as seen from the file of tests."""
        path = self.path.parent / text
        place = path.resolve()
        if not any(place.is_relative_to(folder.resolve()) for folder in (self.root, self.path.parent)):
            raise self._wrong(
                f"{key} names '{text}', which lies outside of {self.root}; run cutset test in a folder that contains it"
            )
        return path

    def _expected(self) -> tuple[Expected, ...]:
        found = [self._value(name, value, None) for name, value in self._table_of("expect").items()]
        rows = self.table.get("at", [])
        for row in [rows] if isinstance(rows, Mapping) else rows if isinstance(rows, list) else [rows]:
            if not isinstance(row, Mapping) or "time" not in row:
                raise self._wrong(f'at must be tables such as {{ time = 0.5, "C.u" = 3.2 }}, not {row!r}')
            time = self._as_number(row["time"], "time")
            found += [self._value(name, value, time) for name, value in row.items() if name != "time"]
        return tuple(found)

    def _value(self, quantity: str, given: Any, time: float | None) -> Expected:
        within = None
        if isinstance(given, Mapping):
            if given.keys() != {"is", "within"}:
                raise self._wrong(f"the value of '{quantity}' must be a number or {{ is = 9.5, within = 0.1 }}")
            within = self._as_number(given["within"], f"'{quantity}': within")
            given = given["is"]
        if isinstance(given, list):
            return Expected(quantity, tuple(self._measured(each, quantity) for each in given), time, within)
        number = float(given) if isinstance(given, bool) else self._measured(given, quantity)
        return Expected(quantity, number, time, within)

    def _measured(self, value: Any, quantity: str) -> float | str:
        """A number, or the text of one with a unit."""
        if isinstance(value, str) and split_quantity(value):
            return value
        return self._as_number(value, f"'{quantity}'")
