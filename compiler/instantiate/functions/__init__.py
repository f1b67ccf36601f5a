"""Checks user functions, executes them at translation, or lowers them to functions of the generated program."""
