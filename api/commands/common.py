"""Defines arguments that several commands share, and loads the model that they name."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutset.api.command_line.report import print_error
from cutset.compiler.units.quantities import split_quantity
from cutset.contract.names import partition
from cutset.contract.number_texts import advice
from cutset.runtime.targets.names import TARGETS

if TYPE_CHECKING:
    from cutset.api.model import Model
    from cutset.api.translate.given_values import Settings
    from cutset.compiler.observer import Listener
    from cutset.compiler.options import Options
    from cutset.runtime.runs.experiment import Experiment

# A command names at most so many parts of a robot that are lost.
_MOST_LOSSES = 6


def add_model(parser: argparse.ArgumentParser) -> None:
    """Define FILE, -m and the options of translation."""
    add_file(parser)
    add_translation(parser)


def add_file(parser: argparse.ArgumentParser) -> None:
    """Define FILE and -m."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the model file; - reads standard input")
    parser.add_argument("-m", "--model", metavar="NAME", help="the model to translate (default: the last in FILE)")


def add_text(parser: argparse._ActionsContainer) -> None:
    """Define -I, --instead and --allow-external, which decide what the text of the model means."""
    add_include(parser)
    parser.add_argument(
        "--instead", metavar="LIBRARY=OTHER", action="append", default=[], type=_exchange,
        help="use another library instead of one that the model includes: mbssim=mbs",
    )  # fmt: skip
    parser.add_argument(
        "--allow-external",
        action="store_true",
        help="allow the model to call Python functions; use this only for models that you trust",
    )


def add_translation(parser: argparse._ActionsContainer) -> None:
    """Define -I, --instead, --allow-external, --unsolved, --verify and --without."""
    add_text(parser)
    parser.add_argument(
        "--unsolved",
        action="store_true",
        help="do not solve the equations: for large networks, which only the method bdf then runs",
    )
    parser.add_argument("--verify", action="store_true", help="check the results of every stage of the translation")
    parser.add_argument(
        "--without", metavar="PASS", action="append", default=[], choices=("reciprocals", "sincos", "loops", "factors"),
        help="skip an optimization: reciprocals, sincos, loops or factors; results differ only by "
             "rounding",
    )  # fmt: skip


def add_include(parser: argparse._ActionsContainer) -> None:
    """Define -I, the folders for included files."""
    parser.add_argument(
        "-I",
        "--include",
        metavar="DIR",
        type=_folder,
        action="append",
        default=[],
        help="add a folder for included files",
    )


def _exchange(text: str) -> tuple[str, str]:
    return name_and_value(text, "LIBRARY=OTHER")


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder '{text}'")
    return Path(text)


def add_run(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Define the interval, output times, method, tolerances, values by name, and target."""
    run_of = parser.add_argument_group(
        "the run", "Settings in the model, experiment (stop=10), replace these defaults."
    )
    run_of.add_argument("--stop", metavar="T", type=float, help="stop time, in s (default: 1)")
    run_of.add_argument("--start", metavar="T", type=float, help="start time, in s (default: 0)")
    rows = run_of.add_mutually_exclusive_group()
    rows.add_argument("--points", metavar="N", type=int, help="number of output times (default: 501)")
    rows.add_argument("--interval", metavar="DT", type=float, help="time between two output times, in s")
    rows.add_argument(
        "--times", metavar="T,...", type=_times,
        help="output times besides the start and the stop, in s: 0.1,0.5,2, or a file with a column time",
    )  # fmt: skip
    run_of.add_argument(
        "--method", metavar="M",
        help="integration method: auto (the default), dopri5, tsit5, bs32, rk4, cvode-bdf, cvode-adams, ida, bdf, ggl "
             "or radau",
    )  # fmt: skip
    run_of.add_argument("--rtol", metavar="R", type=float, help="relative tolerance (default: 1e-6)")
    run_of.add_argument("--atol", metavar="A", type=float, help="absolute tolerance (default: 1e-8)")
    run_of.add_argument(
        "--max-steps",
        metavar="N",
        type=int,
        help="maximum number of steps between two output times (default: 1000000)",
    )
    run_of.add_argument("--max-step", metavar="H", type=float, help="maximum step size, in s (default: no limit)")
    add_values(run_of)
    add_inputs(run_of)
    run_of.add_argument(
        "--target",
        choices=TARGETS,
        default="auto",
        help="run as C code, as Python code, or as Python code in extended precision (extended); default: c if there "
        "is a C compiler, else python",
    )
    return run_of


def experiment_of(arguments: argparse.Namespace, own: Experiment) -> Experiment:
    """The experiment `own` of a model with the arguments of `add_run`, without values. RunError for settings that make
    no sense."""
    from cutset.api.translate.own_settings import completed

    return completed(own, **_settings(arguments))


def check_settings(arguments: argparse.Namespace) -> None:
    """Check the arguments of `add_run` before a model is loaded, as far as they do not depend on it. RunError for
    settings that make no sense."""
    from cutset.api.translate.own_settings import completed
    from cutset.runtime.runs.experiment import Experiment

    settings, start = _settings(arguments), arguments.start or 0.0
    if arguments.stop is None:
        settings["times"] = None
    completed(Experiment(start, start), **settings)


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    a = arguments
    rows = {"points": a.points, "interval": a.interval, "times": _read_times(a.times)}
    limits = {"max_steps": a.max_steps, "max_step": a.max_step}
    return {"stop": a.stop, "start": a.start, **rows, "method": a.method, "rtol": a.rtol, "atol": a.atol, **limits}


def _times(text: str) -> tuple[float, ...] | Path:
    try:
        return tuple(float(number) for number in text.split(","))
    except ValueError:
        return Path(text)


def _read_times(given: tuple[float, ...] | Path | None) -> tuple[float, ...] | None:
    """The times, those in the file if it is one. CommandFailed, UsageError for a file that cannot be read."""
    if not isinstance(given, Path):
        return given
    from cutset.api.files.result_table import read_table

    return tuple(dict.fromkeys(read_table(given).time.tolist()))


def add_values(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Define --set."""
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="extend", default=[], type=assignments,
        help="set a parameter, an input (to a constant), or the start value of a variable: a state, another variable "
             "with a derivative, or a discrete variable; in NAME, * matches any text and ? one character; "
             "@FILE.toml sets the values in a file; can be repeated",
    )  # fmt: skip


def add_inputs(parser: argparse._ActionsContainer) -> None:
    """Define --input."""
    parser.add_argument(
        "--input", metavar="FILE", action="append", default=[], type=_input,
        help="drive inputs by a table over time: a file with a column time and one for each input; FILE,hold is "
             "constant until the next row, FILE,smooth a monotone cubic (default: linear), FILE,keep also goes on "
             "outside of the table with its first or last value; can be repeated",
    )  # fmt: skip


def _input(text: str) -> tuple[str, str, str]:
    """The file, the interpolation, and what holds outside of the table."""
    file, interpolation, outside = text, "linear", "refuse"
    while True:
        before, _, word = file.rpartition(",")
        if word in ("linear", "hold", "smooth"):
            file, interpolation = before, word
        elif word == "keep":
            file, outside = before, word
        else:
            return file, interpolation, outside


def add_parameters(parser: argparse.ArgumentParser) -> None:
    """Define --set for parameters alone."""
    parser.add_argument(
        "--set", metavar="NAME=VALUE", action="extend", default=[], type=assignments,
        help="set a parameter; @FILE.toml sets those in a file; can be repeated",
    )  # fmt: skip


def load_with_values(arguments: argparse.Namespace) -> tuple[Model, Settings]:
    """The model for the values of --set, and these values and the tables of --input as arguments of a run. ModelError;
    RunError E602 for an unknown name, E605 for a table that cannot be used."""
    from cutset.api.translate.given_values import by_kind, elements, named

    model = _load_with_numbers(arguments)
    info = model.translated.info
    values = elements(info, named(info, arguments.set))
    sorted_values = by_kind(info, values.items())
    if getattr(arguments, "input", None):
        from cutset.api.files.input_tables import columns_of, table

        tables = [columns_of(info, table(*given), model.translated.description.units) for given in arguments.input]
        sorted_values["inputs"] = {name: signal for found in tables for name, signal in found.items()} | dict(
            sorted_values["inputs"]
        )
    return model.with_values(values), sorted_values


def _load_with_numbers(arguments: argparse.Namespace) -> Model:
    """The model; if it has errors, translated again with the numbers of --set."""
    from cutset.compiler.diagnostics import ModelError

    try:
        return load_model(arguments)
    except ModelError:
        numbers = {name: value for name, value in arguments.set if not set(name) & {"*", "?"}}
        if not numbers:
            raise
        return load_model(arguments, parameters=numbers)


def load_model(
    arguments: argparse.Namespace, listeners: Iterable[Listener] = (), parameters: Mapping[str, Any] | None = None
) -> Model:
    """Translate the model that the arguments of `add_model` name, with these values of parameters. ModelError with its
    errors."""
    from cutset.api.files.standard_input import PLACE, given_text, is_standard_input
    from cutset.api.mechanics.robots import losses_of
    from cutset.api.model import loaded

    path, options = arguments.file, options_for(arguments, parameters)
    if is_standard_input(arguments):
        path, options = PLACE, replace(options, text=given_text(arguments))
    else:
        _print_losses(losses_of(path, options.library_path))
    return loaded(path, arguments.model, options, parameters or {}, [*verifiers(arguments), *listeners])


def _print_losses(lost: Sequence[str]) -> None:
    for each in lost[:_MOST_LOSSES]:
        print_error(f"note: not imported: {each}")
    if len(lost) > _MOST_LOSSES:
        print_error(f"note: {len(lost) - _MOST_LOSSES} more parts of the robot are not imported: see cutset import")


def options_for(arguments: argparse.Namespace, parameters: Mapping[str, Any] | None = None) -> Options:
    """The options of translation that the arguments of `add_model` give, with these values of parameters."""
    from cutset.api.translate.translation_options import translation_options

    options = translation_options(
        {
            "library_path": arguments.include,
            "allow_external": arguments.allow_external,
            "without": arguments.without,
            "parameters": parameters,
            "instead": dict(arguments.instead),
            "solved": not arguments.unsolved,
        }
    )
    return replace(options, perturbed=getattr(arguments, "perturbed", ""))


def verifiers(arguments: argparse.Namespace) -> list[Listener]:
    """The listeners for --verify."""
    if not arguments.verify:
        return []
    from cutset.compiler.verify import Verifier

    return [Verifier()]


# --- name=value -----------------------------------------------------------------------------------

Assignment = tuple[str, Any]
# A file of values has fewer bytes than this.
_MOST_BYTES = 10_000_000


def assignments(text: str) -> list[Assignment]:
    """The values by name in NAME=VALUE, or those in the file of @FILE: numbers, lists of numbers for vectors and
    matrices, names of enumeration values. ArgumentTypeError for anything else."""
    return _of_file(Path(text[1:])) if text.startswith("@") else [_of_word(text)]


def name_and_value(text: str, form: str) -> tuple[str, str]:
    """Both parts of NAME=VALUE. ArgumentTypeError, which tells the `form`, if one is missing."""
    name, _, value = (part.strip() for part in partition(text, "="))
    if not name or not value:
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form {form}")
    return name, value


def _of_word(text: str) -> Assignment:
    name, value = name_and_value(text, "NAME=NUMBER, without spaces")
    first, _, rest = value.partition(",")
    if not value.startswith("[") and first != value and (not rest or "=" in rest):
        several = f"{name}={first} {rest or 'OTHER=NUMBER'}"
        raise argparse.ArgumentTypeError(f"'{text}': a space separates two values: {several}")
    if value.startswith("[") and value.endswith("]"):
        rows = [[number_or_text(name, number.strip()) for number in row.split(",")] for row in value[1:-1].split(";")]
        if any(isinstance(each, str) and not split_quantity(each) for row in rows for each in row):
            return name, value
        return name, rows[0] if len(rows) == 1 else rows
    return name, number_or_text(name, value)


def number_or_text(name: str, text: str) -> float | str:
    """The number; the text of a number with a unit, of a name, or in quotes. ArgumentTypeError for a number with a
    prefix only."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    if not split_quantity(text) and (hint := advice(text)):
        raise argparse.ArgumentTypeError(f"{name} must be a number, not '{text}'; {hint}")
    try:
        return float(text)
    except ValueError:
        return text


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
