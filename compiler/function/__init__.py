"""Translates a function of variables of a mechanism instead of the whole model."""
