"""Holds the files that `cutset new` starts a model with: a text, tests and a README for each kind."""
