"""Writes the class of an FMU as text of the language: its model description -> text. Runs no code of the FMU.

Parameters, inputs and outputs are those of the FMU, with units and descriptions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.fmu_exchange import exchange_class
from cutset.compiler.instantiate.names.fmu_stepping import stepping_class
from cutset.compiler.instantiate.names.fmu_terminals import terminals_of
from cutset.compiler.instantiate.names.fmu_variables import FmuClass, NoReader, Unsuited, read_fmu
from cutset.contract.fmu_archive import Damaged, Unsafe, platforms, read_terminals

# What a model writes before the name of the file to select an interface.
EXCHANGE, STEPPING = "exchange:", "cosimulation:"


class NoBinary(Exception):
    """The FMU has no library for this machine; `platforms` are those for which it has one."""

    def __init__(self, platforms: Sequence[str]):
        super().__init__()
        self.platforms = platforms


def split_reference(text: str) -> tuple[str, str]:
    """The interface that a reference to an FMU selects, '' if none, and the name of the file."""
    for interface in (EXCHANGE, STEPPING):
        if text.startswith(interface):
            return interface, text.removeprefix(interface)
    return "", text


def fmu_class(path: Path, interface: str = "", starts: Collection[str] = ()) -> FmuClass:
    """The class of the FMU, with these parameters for start values; without an `interface` that for co-simulation, if
    the FMU has it. Damaged, Unsafe, Unsuited, NoReader, NoBinary; FileNotFoundError."""
    description, terminals = read_fmu(path), terminals_of(read_terminals(path))
    if interface != EXCHANGE and description.coSimulation is not None:
        made = stepping_class(path.name, description, terminals, starts)
    elif interface != STEPPING and description.modelExchange is not None:
        made = exchange_class(path.name, description, terminals, starts)
    else:
        raise _without_interface(path.name, description, interface)
    _require_binary(path)
    return made


def _without_interface(file: str, description: Any, interface: str) -> Unsuited:
    offers = {
        "co-simulation": description.coSimulation,
        "model exchange": description.modelExchange,
        "scheduled execution": description.scheduledExecution,
    }
    has = [name for name, offered in offers.items() if offered is not None]
    wanted = {EXCHANGE: "model exchange", STEPPING: "co-simulation"}.get(interface, "co-simulation or model exchange")
    available = f"; it has only {has[0]}" if len(has) == 1 else ""
    if has and has[0] != "scheduled execution":
        other = STEPPING if interface == EXCHANGE else EXCHANGE
        return Unsuited(f"it has no interface for {wanted}{available}", f'write (fmu "{other}{file}")')
    return Unsuited(f"it has no interface for {wanted}{available}")


def _require_binary(path: Path) -> None:
    """NoBinary if the FMU has no library for this machine."""
    from fmpy import platform, platform_tuple

    has = platforms(path)
    if platform not in has and platform_tuple not in has:
        raise NoBinary(has)


def load_fmu(path: Path, interface: str, span: Span, starts: Collection[str]) -> FmuClass | Diagnostic:
    """The class of the FMU that is named at `span`, or the reason why there is none."""
    try:
        return fmu_class(path, interface, starts)
    except Unsafe as error:
        return class_messages.fmu_unsafe(path.name, str(error), span)
    except (Damaged, OSError) as error:
        return class_messages.fmu_damaged(path.name, str(error), span)
    except Unsuited as error:
        return class_messages.fmu_unsuited(path.name, str(error), error.hint, span)
    except NoReader:
        return class_messages.fmu_without_reader(path.name, span)
    except NoBinary as error:
        return class_messages.fmu_without_binary(path.name, error.platforms, span)
