"""Describes events to the loops in C, and what they leave."""
