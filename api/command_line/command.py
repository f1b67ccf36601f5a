"""Runs the command ``cutset``: arguments -> exit code. The commands are in `cutset.api.commands`.

====  =====================================================
0     success
1     the model or the run failed; messages on standard error
2     wrong usage
3     an internal error: a bug in Cutset, not in the model
130   interrupted (Ctrl-C)
====  =====================================================
"""

from __future__ import annotations

import argparse
import atexit
import difflib
import gc
import io
import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import pairwise

from cutset.api.command_line.report import print_diagnostics, print_error
from cutset.api.command_line.usage import Parser
from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.compiler.diagnostics import ModelError
from cutset.contract.version import __version__
from cutset.runtime.errors import RunError

# --- the values of options that take several ------------------------------------------------------

# ``--set a=1 b=2 model.mo`` becomes ``--set=a=1 --set=b=2 model.mo``. Knows no command.


def _is_assignment(word: str) -> bool:
    return "=" in word


def _is_assignment_or_file(word: str) -> bool:
    return "=" in word or word.startswith("@")


def _is_no_model(word: str) -> bool:
    return not word.endswith(".mo")


# A test for each option: does a word count as its value?
_VALUES: dict[str, Callable[[str], bool]] = {
    "--set": _is_assignment_or_file,
    "--vary": _is_assignment,
    "--known": _is_no_model,
    "--find": _is_no_model,
    "--outputs": _is_no_model,
    "--against": _is_no_model,
    "--variables": _is_no_model,
}
# The value of an option that is given without one.
_WITHOUT_VALUE = {"--variables": "*"}


def separated(words: Iterable[str]) -> list[str]:
    """The words of a command line with one value for each of these options."""
    found: list[str] = []
    option, count = "", 0
    for word in [*words, ""]:  # the empty word ends an option at the end of the line
        if option and word and not word.startswith("-") and _VALUES[option](word):
            found.append(f"{option}={word}")
            count += 1
            continue
        if option and not count:
            found.append(f"{option}={_WITHOUT_VALUE[option]}" if option in _WITHOUT_VALUE else option)
        option, count = (word, 0) if word in _VALUES else ("", 0)
        if not option:
            found.append(word)
    return found[:-1]


# Each command is a module in `cutset.api.commands`, which is imported when it is used.
_GROUPS = {
    "models": {
        "new": "make a folder with a model to start from, tests of it and a README",
        "check": "check models for errors",
        "fmt": "format model files",
        "test": "run the tests of models: expected values, references, verification",
        "import": "write a robot in URDF or MJCF, or a netlist of SPICE, as a model",
    },
    "runs": {
        "simulate": "translate and run a model",
        "open": "open a model or a folder of models in the browser",
        "watch": "check and run a model whenever its file is saved",
        "sweep": "run a model at many values of parameters, start values or inputs",
        "fit": "find parameters with which runs agree with measured data",
        "steady": "find an equilibrium of a model",
        "linearize": "linearize a model: matrices, eigenvalues, damping",
    },
    "results and pictures": {
        "plot": "plot results over time or another variable",
        "measure": "measure results: extremes, rise times, periods, harmonics",
        "animate": "animate the motion in a result",
        "diagram": "draw the submodels and connections of a model, or its blocks of equations",
    },
    "translation": {
        "export": "write a model as a program that runs without Python",
        "translate": "write the generated code",
        "inspect": "count the equations, systems of equations and operations of a model",
        "verify": "compute a model in independent ways, with each multibody library, and compare",
    },
    "help": {
        "classes": "list the classes of libraries, or those that words describe",
        "explain": "explain an error code, a class of the libraries or a command",
        "lsp": "serve an editor: messages, completion and navigation while one types",
        "completion": "print a script that completes commands and options in the shell",
    },
}
COMMANDS = {name: about for commands in _GROUPS.values() for name, about in commands.items()}
# What users of other programs type.
_OTHER_NAMES = {"run": "simulate", "sim": "simulate", "build": "translate", "compile": "translate", "format": "fmt"}
# The modules whose names are not those of their commands.
_MODULES = {"import": "import_file"}
# Wrong settings and names, and pictures that would be too large: errors of usage, not of the model or the run.
_USAGE_CODES = frozenset({"E602", "E604", "E605", "E607", "E648"})


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; `argv` None means the arguments of the process. Returns the exit code."""
    words = separated(sys.argv[1:] if argv is None else argv)
    if argv is None:
        atexit.register(gc.freeze)  # the interpreter would search all objects for cycles before it exits
        _compute_with_one_thread()
    parser = _parser(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # text that the terminal cannot show must not raise
    try:
        _check_command(words, parser)
        arguments, more = parser.parse_known_args(words)
        if more:
            arguments.parser.error(_unknown(more[0], arguments.parser, words))
        return run_command(arguments.work, arguments)
    except SystemExit as end:
        # argparse exits this way after its message.
        return end.code if isinstance(end.code, int) else 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe. Without this, Python would report it again when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _compute_with_one_thread() -> None:
    """Keep numpy from starting the threads of its linear algebra, unless the user has chosen their number. They take
    half of the processor time of a short run, since they wait actively, and no command has large dense matrices."""
    if "OMP_NUM_THREADS" not in os.environ:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _unknown(word: str, parser: argparse.ArgumentParser, words: Sequence[str]) -> str:
    """The message for one of the words, an argument that the command does not have."""
    option = word.partition("=")[0]
    near = difflib.get_close_matches(
        option, [o for action in parser._actions for o in action.option_strings], n=1, cutoff=0.75
    )
    hint = f"; did you mean {near[0]}?" if near else ""
    if option in ("--known", "--find"):
        hint = "; inverse problems are solved by simulate, sweep, steady, linearize and translate"
    parts = next((pair for pair in pairwise(words) if pair[0].endswith(",") or pair[1].startswith(",")), None)
    if parts and not word.startswith("-"):
        hint = f"; write a list without spaces: {re.sub('^--[a-z-]+=', '', ''.join(parts))}"
    return f"unknown argument: {word}{hint}"


def _check_command(words: Sequence[str], parser: argparse.ArgumentParser) -> None:
    """Exit with the nearest name if the first word is neither a command nor an option."""
    if words and words[0].startswith("--") and words[0] not in ("--help", "--version"):
        parser.error(_unknown(words[0], parser, words))
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        other = _OTHER_NAMES.get(words[0])
        near = [other] if other else difflib.get_close_matches(words[0], COMMANDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"the commands are: {', '.join(COMMANDS)}"
        parser.error(f"there is no command '{words[0]}'; {hint}")


def run_command(work: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Do the work of a command, and print the error with which it ends. Returns the exit code."""
    try:
        code = work(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        parser: argparse.ArgumentParser = arguments.parser
        parser.error(str(error))
    except ModelError as error:
        print_diagnostics(error.diagnostics)
        return 1
    except RunError as error:
        print_error(str(error))
        if error.code in _USAGE_CODES:
            return 2
        _print_loose_ends(arguments)
        return 1
    except CommandFailed as error:
        print_error(f"error: {error}")
        return 1
    except BrokenPipeError:
        raise
    except Exception as error:
        _print_internal(error)
        return 3


def _print_loose_ends(arguments: argparse.Namespace) -> None:
    """After a failed run, print what `check` reports about unconnected cuts of the model."""
    if not hasattr(arguments, "include") or getattr(arguments, "file", None) is None or not hasattr(arguments, "model"):
        return  # the command read a result, not a model
    from cutset.api.translate.translation import loose_ends, options_of

    options = replace(options_of(arguments.include), text=getattr(arguments, "text", ""))
    for label in loose_ends(arguments.file, arguments.model, options):
        print_error(f"note: {label.text} ({label.span})")


def _print_internal(error: Exception) -> None:
    import traceback

    if os.environ.get("CUTSET_DEBUG"):
        traceback.print_exception(error)
    places = traceback.extract_tb(error.__traceback__)
    place = f" ({places[-1].filename}:{places[-1].lineno})" if places else ""
    print_error(f"internal error: {type(error).__name__}: {error}{place}")
    print(
        "This is a bug in Cutset, not an error in the model. Please report it, with the model and the output of the "
        "same command with CUTSET_DEBUG=1.",
        file=sys.stderr,
    )


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the command that comes first, or of all commands, with the arguments of the one that is used."""
    used = next((word for word in words if not word.startswith("-")), "")
    known = [used] if used in COMMANDS and words[0] == used else COMMANDS
    return _parser_of(known, [used])


def parser_of_all() -> argparse.ArgumentParser:
    """The parser of all commands, with the arguments of each."""
    return _parser_of(COMMANDS, COMMANDS)


def _parser_of(known: Iterable[str], defined: Container[str]) -> argparse.ArgumentParser:
    """The parser of the `known` commands, with the arguments of those that are `defined`."""
    lists = ("\n".join([f"{of}:", *map("  {0[0]:<11} {0[1]}".format, each.items())]) for of, each in _GROUPS.items())
    parser = Parser(
        prog="cutset",
        usage="cutset [-h] [--version] COMMAND ...",
        description="Translate and simulate models written as equations in the classic Dymola language.\n\n"
        + "\n\n".join(lists),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="version", version=f"cutset {__version__}", help="print the version and exit"
    )
    commands = parser.add_subparsers(prog="cutset", metavar="COMMAND", required=True, help=argparse.SUPPRESS)
    for name in known:
        about = COMMANDS[name]
        command = commands.add_parser(name, help=about, description=about)
        if name in defined:
            module = import_module(f"cutset.api.commands.{_MODULES.get(name, name)}")
            module.add(command)
            command.set_defaults(work=module.run, parser=command)
    return parser
