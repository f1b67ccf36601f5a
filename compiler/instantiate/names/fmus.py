"""Writes the class of an FMU as text of the language: its model description -> text. Runs no code of the FMU.

Parameters, inputs and outputs are those of the FMU, with units and descriptions.
"""

from __future__ import annotations

from pathlib import Path

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.fmu_exchange import exchange_class
from cutset.compiler.instantiate.names.fmu_stepping import stepping_class
from cutset.compiler.instantiate.names.fmu_terminals import terminals_of
from cutset.compiler.instantiate.names.fmu_variables import FmuClass, NoReader, Unsuited, read_fmu
from cutset.contract.fmu_archive import Damaged, Unsafe, read_terminals

# What a model writes before the name of the file to select an interface.
EXCHANGE, STEPPING = "exchange:", "cosimulation:"


def split_reference(text: str) -> tuple[str, str]:
    """The interface that a reference to an FMU selects, '' if none, and the name of the file."""
    for interface in (EXCHANGE, STEPPING):
        if text.startswith(interface):
            return interface, text.removeprefix(interface)
    return "", text


def fmu_class(path: Path, interface: str = "") -> FmuClass:
    """The class of the FMU; without an `interface` that for co-simulation, if the FMU has it. Damaged, Unsafe,
    Unsuited, NoReader; FileNotFoundError."""
    description, terminals = read_fmu(path), terminals_of(read_terminals(path))
    if interface != EXCHANGE and description.coSimulation is not None:
        return stepping_class(path.name, description, terminals)
    if interface == STEPPING:
        raise Unsuited("it has no co-simulation interface")
    if description.modelExchange is None:
        raise Unsuited(
            "it has no interface for " + ("model exchange" if interface else "co-simulation or model exchange")
        )
    return exchange_class(path.name, description, terminals)


def load_fmu(path: Path, interface: str, span: Span) -> FmuClass | Diagnostic:
    """The class of the FMU that is named at `span`, or the reason why there is none."""
    try:
        return fmu_class(path, interface)
    except Unsafe as error:
        return class_messages.fmu_unsafe(path.name, str(error), span)
    except (Damaged, OSError) as error:
        return class_messages.fmu_damaged(path.name, str(error), span)
    except Unsuited as error:
        return class_messages.fmu_unsuited(path.name, str(error), span)
    except NoReader:
        return class_messages.fmu_without_reader(path.name, span)
