"""Explains failures, and linearizes at points of a run."""
