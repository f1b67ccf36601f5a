"""Parses arguments; a wrong one gives three lines: what is wrong, the usage of that option, where help is."""

from __future__ import annotations

import argparse
import re
import textwrap
from typing import NoReturn

from cutset.api.command_line.report import print_error
from cutset.contract.number_texts import advice

# What argparse calls the values of options.
_VALUES = {"int": "a whole number", "float": "a number"}
_WIDEST = 110


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose errors do not repeat the usage of all options."""

    def error(self, message: str) -> NoReturn:
        """Print the three lines on standard error, and exit with 2."""
        print_error("\n".join([f"error: {_readable(message)}", self._usage_for(message), f"help: {self.prog} --help"]))
        raise SystemExit(2)

    def _usage_for(self, message: str) -> str:
        """The usage of the option or argument that the message names, or else of the command."""
        action = self._named_in(message)
        if action is None:
            wanted = [self._shown(each) for each in self._actions if not each.option_strings]
            return f"usage: {' '.join([self.prog, '[OPTION ...]', *wanted])}"
        about = (action.help or "") % {"prog": self.prog, "default": action.default}
        line = f"usage: {self.prog} {self._shown(action)}"
        return f"{line}  {textwrap.shorten(about, max(30, _WIDEST - len(line)), placeholder=' ...')}"

    def _named_in(self, message: str) -> argparse.Action | None:
        words = set(re.findall(r"--?[a-zA-Z][\w-]*|[A-Z][A-Z|.]+", message.partition("; did you mean")[0]))
        for each in self._actions:
            names = set(each.option_strings) or ({each.metavar} if isinstance(each.metavar, str) else set())
            if names & words:
                return each
        return None

    def _shown(self, action: argparse.Action) -> str:
        formatter = self._get_formatter()
        if not action.option_strings:
            return formatter._format_args(action, formatter._get_default_metavar_for_positional(action))
        if action.nargs == 0:
            return action.option_strings[-1]
        values = formatter._format_args(action, formatter._get_default_metavar_for_optional(action))
        return f"{action.option_strings[-1]} {values}"


def _readable(message: str) -> str:
    """What argparse says, in our words."""
    message = re.sub(r"^argument ([^:]+): ", lambda found: f"{found[1].split('/')[-1]}: ", message)
    message = re.sub(r"^([^:]+): invalid (int|float) value: (.*)", _of_number, message)
    message = re.sub(r"^the following arguments are required: (.*), (.*)", r"\1 and \2 are missing", message)
    message = re.sub(r"^the following arguments are required: (.*)", r"\1 is missing", message)
    return re.sub(r": expected one argument$", " needs a value", message)


def _of_number(found: re.Match[str]) -> str:
    hint = advice(found[3].strip("'"), is_whole=found[2] == "int")
    return f"{found[1]} must be {_VALUES[found[2]]}, not {found[3]}{'; ' if hint else ''}{hint}"
