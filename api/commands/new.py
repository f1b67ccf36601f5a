"""Implements ``cutset new``: makes a folder with a model to start from, tests of it, and a README."""

from __future__ import annotations

import argparse
import re
from importlib.resources import files
from pathlib import Path

from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.compiler.diagnostics import visible
from cutset.runtime.whole_files import write_whole

# The kinds of models, with what the README says of them and the command that draws a picture.
_KINDS = {
    "circuit": ("The charging of a capacitor", "--plot C.u,R.i --save circuit.png"),
    "mechanism": ("A double pendulum on a spring", "--animate motion.html"),
    "controller": ("A motor with a digital controller of its speed", "--plot load.w,controller.y --save speed.png"),
}
_PLACEHOLDER = re.compile(r"\b(NAME|ABOUT|PICTURE)\b")


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("name", metavar="NAME", help="the name of the model, and of the folder that is made for it")
    parser.add_argument("--kind", choices=_KINDS, default="circuit", help="what the model starts as (default: circuit)")


def run(arguments: argparse.Namespace) -> int:
    """Write the folder, and say what to do next."""
    name, kind = arguments.name, arguments.kind
    _check_name(name)
    folder = Path(name)
    about, picture = _KINDS[kind]
    words = {"NAME": name, "ABOUT": about, "PICTURE": f"cutset simulate {name}.mo --stop 2 {picture}"}
    starters = files("cutset.api.starters")
    texts = {
        f"{name}.mo": starters.joinpath(f"{kind}.mo"),
        f"{name}.test.toml": starters.joinpath(f"{kind}.test.toml"),
        "README.md": starters.joinpath("README.md"),
    }
    try:
        folder.mkdir()
        for file, source in texts.items():
            text = _PLACEHOLDER.sub(lambda found: words[found[0]], source.read_text("utf-8"))
            write_whole(folder / file, text)
    except FileExistsError as error:
        raise CommandFailed(f"there is already something named '{name}' in this folder; choose another name") from error
    except OSError as error:
        raise CommandFailed(f"cannot write {error.filename or folder}: {error.strerror or error}") from error
    print(visible(f"wrote {', '.join(str(folder / file) for file in texts)}"))
    print(visible(f"next: cd {name}, then cutset simulate {name}.mo --stop 2 {picture}"))
    return 0


def _check_name(name: str) -> None:
    """UsageError for a name that a model cannot have."""
    from cutset.compiler.syntax.parse import is_name

    if is_name(name):
        return
    proposal = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    hint = f"; for example {proposal}" if proposal != name and is_name(proposal) else ""
    raise UsageError(
        f"'{name}' is a word of the language; choose another name"
        if name.isidentifier()
        else f"NAME must consist of letters, digits and '_', and begin with a letter{hint}"
    )
