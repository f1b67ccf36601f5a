"""``cutset check``: is the model right? Everything but the code."""

from __future__ import annotations

import argparse

from cutset.commands.common import add_model, load_model


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_model(parser)
    parser.add_argument("--verify", action="store_true", help="check the compiler's own promises as well")


def run(arguments: argparse.Namespace) -> int:
    """Print the size of every stage."""
    from cutset.observer import Sizes, Verify
    from cutset.report import print_sizes

    sizes = Sizes()
    model = load_model(arguments, [sizes, Verify()] if arguments.verify else [sizes])
    print_sizes(model.name, sizes.lines, model.seconds)
    return 0
