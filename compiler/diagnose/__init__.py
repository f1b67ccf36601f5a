"""Explains why a model cannot be solved: FlatModel -> diagnostics in the user's names. Runs only after a failure."""
