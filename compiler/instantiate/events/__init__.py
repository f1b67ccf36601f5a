"""Reads events and initial equations (part of stage 2)."""
