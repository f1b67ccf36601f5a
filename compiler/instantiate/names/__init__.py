"""Decides which classes and names each file sees, and what a class consists of (part of stage 2)."""
