"""``cutset check``: is the model right? Everything but the code."""

from __future__ import annotations

import argparse

from cutset.commands.common import add_model, load_model


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_model(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the size of every stage."""
    from cutset.observer import Sizes
    from cutset.report import print_sizes

    sizes = Sizes()
    model = load_model(arguments, [sizes])
    print_sizes(model.name, sizes.lines, model.seconds)
    return 0
