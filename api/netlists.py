"""Turns netlists of SPICE into texts of models. Prints nothing; what cannot be carried over is a warning."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.mechanics.robots import NotImported
from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.syntax.read import Unreadable, read_text

if TYPE_CHECKING:
    from cutset.compiler.spice.convert import Imported

SUFFIXES = frozenset((".cir", ".ckt", ".net", ".sp", ".spi", ".spice"))


def import_netlist(path: str | os.PathLike[str], *, library_path: Iterable[str | os.PathLike[str]] = ()) -> str:
    """The text of a model of the circuit in a netlist of SPICE: its subcircuits and models are classes, .tran is the
    experiment. A source with an AC value has an input for it. The netlist can include files in its folder, below it,
    and in those of `library_path`. Warns (NotImported) of each part without a counterpart that changes no connection.
    ModelError with the errors of the netlist."""
    found = imported_netlist(Path(path), tuple(map(Path, library_path)))
    for each in found.losses:
        warnings.warn(each, NotImported, stacklevel=2)
    return found.text


def imported_netlist(path: Path, folders: Sequence[Path] = (), file: str = "") -> Imported:
    """The text in the standard layout, what could not be carried over, and remarks on commands; `file` is the name of
    the model that they name. ModelError."""
    from dataclasses import replace

    from cutset.compiler.spice.convert import import_text
    from cutset.compiler.syntax.format import format_text

    try:
        found = import_text(path, read_text(path), folders, file)
    except FileNotFoundError:
        raise ModelError([Diagnostic("E201", f"there is no file '{path}'", hint="check the path")]) from None
    except Unreadable as error:
        hint = "give a netlist of SPICE"
        raise ModelError([Diagnostic("E160", f"'{path}' is not a netlist: {error}", hint=hint)]) from None
    return replace(found, text=format_text(Source(str(path), found.text)))
