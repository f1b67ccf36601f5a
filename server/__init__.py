"""Serves the workbench: `cutset open`, a program in the browser on this machine. Models run in child processes."""
