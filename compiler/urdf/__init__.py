"""Turns robot descriptions in URDF into model texts."""
