"""Turns robots in MJCF, MuJoCo's format, into model texts; MuJoCo's own compiler reads the files."""
