"""Implements ``cutset inspect``: sizes, systems and operations of the translated model, and lists of its parts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutset.api.command_line import report
from cutset.api.commands.common import add_model, load_model

if TYPE_CHECKING:
    from cutset.api.mechanics.topology import Topology
    from cutset.api.show.listing import Component, ListedVariable
    from cutset.api.show.reference_sizes import Published
    from cutset.compiler.why import Reason


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    parser.add_argument(
        "--topology", action="store_true", help="list the bodies of a mechanism: joints, path matrix, loops"
    )
    parser.add_argument("--components", action="store_true", help="list the submodels: class, place, documentation")
    parser.add_argument(
        "--variables", metavar="GLOB", action="append",
        help="list the variables whose names match (default: all): kind, unit, start, limits, documentation",
    )  # fmt: skip
    parser.add_argument(
        "--why", metavar="NAME", action="append", default=[],
        help="explain a variable, or all that match: alias, state, block, equation",
    )  # fmt: skip
    parser.add_argument(
        "--against", metavar="SIZES", action="append", default=[], type=Path,
        help="compare with the numbers in a file: published ones, or earlier output of --json",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print what `Model.inspect` returns, or the requested lists; with --json everything."""
    from cutset.api.show.reference_sizes import read_sizes

    others = [column for path in arguments.against for column in read_sizes(path)]
    model = load_model(arguments)
    if arguments.why:
        return _print_reasons(model.why(*arguments.why), arguments.json)
    topology = model.graph("topology").graph["topology"] if arguments.topology else None
    components = model.components() if arguments.components else None
    variables = None if arguments.variables is None else model.variables(*arguments.variables)
    if arguments.json:
        found = {} if topology is None else {"topology": _as_json(topology)}
        _print_json(model.inspect() | _against(others) | found, components, variables)
        return 0
    if topology is not None:
        report.print_topology(topology)
    if components is not None:
        report.print_components(model.name, components)
    if variables is not None:
        report.print_variables(variables)
    if (components is None and variables is None and topology is None) or others:
        report.print_facts(model.inspect(), others)
    return 0


def _as_json(topology: Topology) -> dict[str, Any]:
    bodies, loops = ([asdict(each) for each in found] for found in (topology.bodies, topology.loops))
    return {"bodies": bodies, "loops": loops, "path_matrix": topology.path_matrix.tolist()}


def _print_reasons(reasons: Sequence[Reason], as_json: bool) -> int:
    if as_json:
        report.print_json([asdict(reason) for reason in reasons])
        return 0
    for reason in reasons:
        print(reason)
    return 0


def _against(others: Sequence[Published]) -> dict[str, Any]:
    return {"against": [{"name": o.name, "source": o.source, **o.sizes} for o in others]} if others else {}


def _print_json(
    facts: dict[str, Any], components: Sequence[Component] | None, variables: Sequence[ListedVariable] | None
) -> None:
    for key, listed in (("components", components), ("variables", variables)):
        if listed is not None:
            facts[key] = [asdict(each) for each in listed]
    report.print_json(facts)
