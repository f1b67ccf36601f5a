"""Defines the errors that end a command early, other than those of the model or of the run."""

from __future__ import annotations


class UsageError(Exception):
    """The command was called wrongly: the message follows the usage, and the exit code is 2."""


class CommandFailed(Exception):
    """The command could not do its work, a file could not be written say: message, and exit code 1."""
