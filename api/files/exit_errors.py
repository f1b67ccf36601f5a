"""Defines the errors that end a command early, apart from those of models and runs."""


class UsageError(Exception):
    """The command was called incorrectly: print the message after the usage, exit code 2."""


class CommandFailed(Exception):
    """The command failed, for example to write a file: print the message, exit code 1."""
