"""Holds the version of the package."""

# pyproject.toml reads the version here.
__version__ = "0.3.0"
