"""Builds compiled models from generated code, in C and in Python, and calls them."""
