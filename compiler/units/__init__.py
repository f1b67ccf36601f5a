"""Reads units, for texts of models and for values from outside."""
