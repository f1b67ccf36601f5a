"""The commands of ``cutset``, one file each: ``add`` describes the arguments, ``run`` does the work.

A new command is a file and its line in `cutset.command`. Everything heavy is imported in ``run``.
"""
