"""Holds what the compiler and the runtime share. Imports nothing of either."""
