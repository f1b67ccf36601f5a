"""Turns netlists of SPICE into texts of models."""
