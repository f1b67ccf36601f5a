"""``cutset inspect``: sizes, systems and operations of the translated model."""

from __future__ import annotations

import argparse

from cutset.commands.common import add_model, load_model


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_model(parser)
    parser.add_argument("--json", action="store_true", help="write one JSON object and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Print what `Model.inspect` gives."""
    facts = load_model(arguments).inspect()
    if arguments.json:
        import json

        print(json.dumps(facts, indent=2))
    else:
        from cutset.report import print_facts

        print_facts(facts)
    return 0
