"""Turns robots, whatever format describes them, into model texts."""
