"""Holds the results of runs, and writes them as tables, files and pictures."""
