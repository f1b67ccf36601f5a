"""Implements the commands of ``cutset``, one file each: ``add`` defines the arguments, ``run`` does the work.

A new command is a file and its line in `cutset.api.command_line.command`. Heavy modules are imported in ``run`` only.
"""
