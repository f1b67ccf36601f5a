"""Serves people: the command line and Python, from the text of a model to pictures and files."""
