"""Handles types of variables and cut classes: attributes for declarations, and type checks of expressions."""
