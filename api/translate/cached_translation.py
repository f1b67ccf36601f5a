"""Translates a file, or takes its translation from the disk cache if nothing has changed.

Loads the compiler only if a translation is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields, is_dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutset.api.translate.parameter_values import numbers
from cutset.api.translate.records import Records, State
from cutset.compiler.codegen.statistics import Domain, Statistics
from cutset.compiler.observer import Listener, Observer
from cutset.compiler.options import pairs
from cutset.compiler.robots.packages import VARIABLES
from cutset.compiler.syntax.read import Unreadable, read_text
from cutset.contract.cache import user_cache
from cutset.contract.experiment_settings import Value
from cutset.contract.metadata import ModelInfo, SourceFiles
from cutset.contract.model_json import model_info
from cutset.contract.plain_records import record_of
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.description import Description
from cutset.stdlib import FOLDER

if TYPE_CHECKING:
    from cutset.compiler.codegen.program import Program
    from cutset.compiler.options import Options


@dataclass(frozen=True)
class Translated:
    """A translation: `info` is the metadata for the runtime, `domains` the ranges of quantities that do not take every
    number, `description` that of results, `experiment` the settings of runs that the model gives, `seconds` the time of
    each stage, `open_ends` remarks on components without a connection or flow, `texts` those of the files of the user,
    by their resolved paths; `files` gives the code for a target, KeyError for an unknown one; `program` what it is made
    of."""

    info: ModelInfo
    statistics: Statistics
    domains: Mapping[str, Domain]
    description: Description
    experiment: Mapping[str, Value]
    seconds: Mapping[str, float]
    open_ends: tuple[str, ...]
    texts: Mapping[Path, str]
    files: Callable[[str], SourceFiles]
    program: Callable[[], Program]

    def numbers(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The numbers of values by name for the runtime, in the units of the model; RunError for a wrong value."""
        return numbers(given, self.domains, self.description.units, self.info.texts)


def translated(path: Path, name: str | None, options: Options, listeners: Iterable[Listener] = ()) -> Translated:
    """Translate the object `name` of the file, or its last object if None. With listeners it is always translated, and
    they are called after each stage. ModelError with all errors."""
    listeners, key, records = tuple(listeners), key_of(path, name, options), Records(user_cache(), "model")
    found = None if listeners else records.get(key)
    texts, keep = own_texts(records.texts), partial(records.put, key)

    def again() -> Translated:
        same = as_translated(options, texts)
        return _translated(path, name, same, keep if same is options else _not_kept)

    made = None if found is None else _from_plain(found, texts, again)
    return _translated(path, name, options, keep, listeners) if made is None else made


def _not_kept(record: Mapping[str, Any], depends_on: Mapping[str, State]) -> None:
    """A translation of texts that are in no file any more."""


def key_of(path: Path, name: str | None, options: Options) -> str:
    """The key of a translation apart from file contents. It includes the path as given, since messages show it."""
    robots = [os.environ.get(each, "") for each in VARIABLES]  # they find meshes there
    return repr((str(path), os.path.abspath(path), name, _ordered(options), robots))


def _ordered(value: object) -> object:
    """The value with sets in order, whose text is the same in each process; of records the fields that count."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return tuple(map(_ordered, value))
    if isinstance(value, Path):
        return os.path.abspath(value)
    if is_dataclass(value):
        return [_ordered(getattr(value, each.name)) for each in fields(value) if each.compare]
    return value


def _translated(
    path: Path,
    name: str | None,
    options: Options,
    keep: Callable[[Mapping[str, Any], Mapping[str, State]], None],
    listeners: tuple[Listener, ...] = (),
) -> Translated:
    """A new translation, which is kept as soon as the code for a target is made."""
    from cutset.api.translate.description import Describer
    from cutset.api.translate.listeners import OpenEnds
    from cutset.api.translate.translation import Dependencies, translate_file
    from cutset.compiler.pipeline import emit

    describer, open_ends, dependencies = Describer(), OpenEnds(), Dependencies()
    observer = Observer([describer, open_ends, dependencies, *listeners])
    program = translate_file(path, name, options, observer)

    @cache
    def files(target: str) -> SourceFiles:
        texts = emit(program, target)
        keep(_plain(made, target, texts), dependencies.states(path, options))
        return texts

    described = describer.description, describer.experiment
    remarks = open_ends.remarks
    texts = own_texts(dependencies.texts)
    made = Translated(
        program.info,
        program.statistics,
        {**describer.limits, **program.domains},
        *described,
        dict(observer.seconds),
        remarks,
        texts,
        files,
        lambda: program,
    )
    return made


def own_texts(texts: Mapping[Path, str]) -> dict[Path, str]:
    """Those of the texts of files that are models of the user, by their resolved paths."""
    shipped = os.path.join(FOLDER, "")
    return {
        path.resolve(): text
        for path, text in texts.items()
        if path.suffix == ".mo" and not str(path).startswith(shipped) and path.is_file()
    }


def as_translated(options: Options, texts: Mapping[Path, str]) -> Options:
    """The options with those texts of files that others have written since."""
    given = dict(options.unsaved)
    written = {path: text for path, text in texts.items() if path not in given and _text_now(path) != text}
    return replace(options, unsaved=pairs(given | written)) if written else options


def _text_now(path: Path) -> str:
    try:
        return read_text(path)
    except (OSError, Unreadable):
        return ""


def _plain(made: Translated, target: str, texts: SourceFiles) -> dict[str, Any]:
    """The translation as JSON data; its metadata is in the source files."""
    return {
        "statistics": asdict(made.statistics),
        "domains": {name: asdict(domain) for name, domain in made.domains.items()},
        "description": made.description.to_json(),
        "experiment": dict(made.experiment),
        "seconds": dict(made.seconds),
        "open_ends": made.open_ends,
        "target": target,
        "texts": dict(texts),
    }


def _from_plain(
    plain: Mapping[str, Any], own: Mapping[Path, str], translate_again: Callable[[], Translated]
) -> Translated | None:
    """The translation from the data of `_plain`; None for any other data."""
    again = cache(translate_again)
    try:
        target, texts = plain["target"], plain["texts"]
        return Translated(
            model_info(texts["model.json"]),
            record_of(Statistics, plain["statistics"]),
            {name: record_of(Domain, domain) for name, domain in plain["domains"].items()},
            Description.from_json(plain["description"]),
            dict(plain["experiment"]),
            plain["seconds"],
            tuple(plain["open_ends"]),
            own,
            lambda wanted: texts if wanted == target else again().files(wanted),
            lambda: again().program(),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
