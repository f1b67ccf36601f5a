"""Reads and answers the command line: arguments -> a command; tables, messages and progress on a terminal."""
