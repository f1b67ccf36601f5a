"""Handles units of measurement: reads them, infers them over equations and connections, and compares them."""
