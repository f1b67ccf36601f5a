"""Holds class libraries written in the language (`*.mo`)."""

import os

# Where they lie, without links on the way, as places in messages have it.
FOLDER = os.path.realpath(os.path.dirname(__file__))
