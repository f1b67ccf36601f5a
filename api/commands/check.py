"""``cutset check``: is the model right? Everything but the code."""

from __future__ import annotations

import argparse
from dataclasses import replace

from cutset.commands.common import add_model, verifiers
from cutset.compiler.diagnostics import ModelError


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_model(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the size of every stage; of a file without an object, how many classes it has."""
    from cutset.observer import Observer, Sizes
    from cutset.report import print_sizes
    from cutset.translation import check_classes, options_of, translate_file

    sizes = Sizes()
    options = replace(options_of(arguments.include), allow_external=arguments.allow_external)
    observer = Observer([*verifiers(arguments), sizes])
    try:
        program = translate_file(arguments.file, arguments.model, options, observer)
    except ModelError as error:
        if {d.code for d in error.diagnostics} != {"E206"}:
            raise
        classes = check_classes(arguments.file, options)
        if not classes:
            raise
        print(f"{arguments.file}: {len(classes)} {'class is' if len(classes) == 1 else 'classes are'} right")
        return 0
    print_sizes(program.info.name, sizes.lines, observer.seconds)
    return 0
