"""Implements ``cutset completion``: prints a script for a shell that completes commands, options and files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cutset.runtime.solvers import METHODS


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    from cutset.api.command_line.command import parser_of_all

    print(script(parser_of_all(), arguments.shell), end="")
    return 0


# --- the script of a shell ------------------------------------------------------------------------

# The values of options that check them themselves.
_VALUES = {"--method": tuple(METHODS)}


@dataclass(frozen=True)
class Option:
    """An option: its spellings, what it is for, whether it takes a value, and the values if there are only a few."""

    spellings: tuple[str, ...]
    about: str
    takes_value: bool
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """A command, its options, and the words that may be its argument; files are completed where there are none."""

    name: str
    about: str
    options: tuple[Option, ...]
    choices: tuple[str, ...]


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for one of `SHELLS`. Names of files are completed by the shell."""
    return SHELLS[shell](parser.prog, _commands(parser))


def _commands(parser: argparse.ArgumentParser) -> list[Command]:
    subparsers = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    abouts = {action.dest: action.help or "" for action in subparsers._choices_actions}
    return [_command(name, abouts[name], of) for name, of in subparsers.choices.items()]


def _command(name: str, about: str, parser: argparse.ArgumentParser) -> Command:
    options = [_option(action) for action in parser._actions if action.option_strings]
    words = [str(c) for action in parser._actions if not action.option_strings for c in action.choices or ()]
    return Command(name, about, tuple(options), tuple(words))


def _option(action: argparse.Action) -> Option:
    about = re.sub(r" \(default: .*\)$", "", (action.help or "") % {"default": action.default, "prog": "cutset"})
    values = action.choices or _VALUES.get(action.option_strings[-1], ())
    return Option(tuple(action.option_strings), about, action.nargs != 0, tuple(map(str, values)))


def _spellings(command: Command) -> str:
    return " ".join(spelling for option in command.options for spelling in option.spellings)


def _bash(program: str, commands: Sequence[Command]) -> str:
    lines = [
        f"# Completion of {program} for bash: put this line into ~/.bashrc:",
        f'#   eval "$({program} completion bash)"',
        f"_{program}() {{",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"',
        "  COMPREPLY=()",
        "  if [ $COMP_CWORD -eq 1 ]; then",
        f'    COMPREPLY=($(compgen -W "{" ".join(c.name for c in commands)} --help --version" -- "$word"))',
        "    return",
        "  fi",
        '  case "$command:$before" in',
    ]
    for command in commands:
        for option in command.options:
            if option.choices:
                patterns = "|".join(f"{command.name}:{spelling}" for spelling in option.spellings)
                words = " ".join(option.choices)
                lines.append(f'    {patterns}) COMPREPLY=($(compgen -W "{words}" -- "$word")); return ;;')
    lines += ["  esac", '  case "$command" in']
    for command in commands:
        lines += [
            f"    {command.name})",
            '      case "$word" in',
            f'        -*) COMPREPLY=($(compgen -W "{_spellings(command)}" -- "$word")); return ;;',
            *([f'        *) COMPREPLY=($(compgen -W "{" ".join(command.choices)}" -- "$word")); return ;;']
              if command.choices else []),
            "      esac ;;",
        ]  # fmt: skip
    lines += ["  esac", "}", f"complete -o default -o bashdefault -F _{program} {program}"]
    return "\n".join(lines) + "\n"


def _zsh(program: str, commands: Sequence[Command]) -> str:
    lines = [
        f"#compdef {program}",
        f"# Completion of {program} for zsh: put this line into ~/.zshrc, after compinit:",
        f'#   eval "$({program} completion zsh)"',
        f"_{program}() {{",
        "  local -a commands",
        "  commands=(",
        *(f"    {_quoted(f'{c.name}:{c.about}')}" for c in commands),
        "  )",
        "  if (( CURRENT == 2 )); then",
        f"    _describe -t commands '{program} command' commands",
        "    return",
        "  fi",
        '  local command="$words[2]"',
        "  shift words",
        "  (( CURRENT-- ))",
        '  case "$command" in',
    ]
    for command in commands:
        arguments = [_zsh_option(option) for option in command.options]
        words = f":word:({' '.join(command.choices)})" if command.choices else ":file:_files"
        lines += [f"    {command.name}) _arguments \\", *(f"      {each} \\" for each in arguments)]
        lines += [f"      {_quoted('*' + words)} ;;"]
    lines += ["  esac", "}", f"compdef _{program} {program}"]
    return "\n".join(lines) + "\n"


def _zsh_option(option: Option) -> str:
    about = re.sub(r"([\[\]:\\])", r"\\\1", option.about)
    value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files" if option.takes_value else ""
    if len(option.spellings) == 1:
        return _quoted(f"*{option.spellings[0]}[{about}]{value}")
    return f"'*'{{{','.join(option.spellings)}}}{_quoted(f'[{about}]{value}')}"


def _fish(program: str, commands: Sequence[Command]) -> str:
    complete = f"complete -c {program}"
    lines = [
        f"# Completion of {program} for fish: run",
        f"#   {program} completion fish > ~/.config/fish/completions/{program}.fish",
    ]
    for command in commands:
        lines.append(f"{complete} -f -n __fish_use_subcommand -a {command.name} -d {_quoted(command.about)}")
    for command in commands:
        here = f"-n '__fish_seen_subcommand_from {command.name}'"
        if command.choices:
            lines.append(f"{complete} -f {here} -a {_quoted(' '.join(command.choices))}")
        for option in command.options:
            names = [f"-l {s[2:]}" if s.startswith("--") else f"-s {s[1:]}" for s in option.spellings]
            value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -r" * option.takes_value
            lines.append(f"{complete} {here} {' '.join(names)}{value} -d {_quoted(option.about)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """The text as one word of a shell."""
    return "'" + text.replace("'", "'\\''") + "'"


Writer = Callable[[str, Sequence[Command]], str]
# The shells, each with the function that writes its script.
SHELLS: dict[str, Writer] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
