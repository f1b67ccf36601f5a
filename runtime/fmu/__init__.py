"""Runs FMUs as components, each in a process of its own."""
