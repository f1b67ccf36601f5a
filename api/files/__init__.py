"""Reads and writes files of users: results, tables for inputs, exported programs."""
