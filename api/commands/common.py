"""Arguments that several commands share, and reading the model they name."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cutset.model import Model
    from cutset.observer import Listener


def add_model(parser: argparse.ArgumentParser) -> None:
    """FILE, -m, -I, --allow-external and --verify: the model that a command is about."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the text of the model")
    parser.add_argument("-m", "--model", metavar="NAME", help="the object to translate (default: the last in FILE)")
    add_translation(parser)


def add_translation(parser: argparse._ActionsContainer) -> None:
    """-I, --allow-external and --verify: how it is translated."""
    add_include(parser)
    parser.add_argument(
        "--allow-external", action="store_true", help="let the model call functions in Python: only where you trust it"
    )
    parser.add_argument("--verify", action="store_true", help="check that every stage keeps its promises")


def add_include(parser: argparse._ActionsContainer) -> None:
    """-I: where included files are looked up."""
    parser.add_argument(
        "-I", "--include", metavar="DIR", type=_folder, action="append", default=[], help="folder for included files"
    )


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder '{text}'")
    return Path(text)


def add_values(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """--set: values by name."""
    parser.add_argument(
        "--set", metavar="NAME=VALUE", nargs="+", action="extend", default=[], type=_assignment,
        help="values of parameters, start values of states and discrete variables, constant inputs",
    )  # fmt: skip


def named_values(model: Model, assignments: Iterable[tuple[str, float | str]]) -> dict[str, dict[str, Any]]:
    """The values of --set as what they are by their name: 'initial', 'inputs', 'parameters'; a name that is nothing counts as a
    parameter."""
    by_array: dict[str, dict[str, Any]] = {"x": {}, "m": {}, "u": {}, "p": {}}
    for name, value in assignments:
        slot = model.program.info.names.get(name)
        by_array[slot.array if slot and slot.array in by_array else "p"][name] = value
    return {"initial": by_array["x"] | by_array["m"], "inputs": by_array["u"], "parameters": by_array["p"]}


def _assignment(text: str) -> tuple[str, float | str]:
    """A number, or a name that may be a value of the parameter's type."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not sign or not name or not value:
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form NAME=NUMBER")
    try:
        return name, float(value)
    except ValueError:
        return name, value


def load_model(arguments: argparse.Namespace, listeners: Iterable[Listener] = ()) -> Model:
    """The model that the arguments of `add_model` name. ModelError with its mistakes."""
    from cutset.model import load

    listeners = [*verifiers(arguments), *listeners]
    return load(
        arguments.file,
        arguments.model,
        library_path=arguments.include,
        listeners=listeners,
        allow_external=arguments.allow_external,
    )


def verifiers(arguments: argparse.Namespace) -> list[Listener]:
    """What --verify asks for."""
    if not arguments.verify:
        return []
    from cutset.compiler.verify import Verifier

    return [Verifier()]
