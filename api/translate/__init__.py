"""Translates models: files and options -> programs and what the compiler knows of them, kept on disk."""
