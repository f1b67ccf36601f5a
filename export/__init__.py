"""Turns a translated model into programs that run without Python: C sources and FMUs. Integrates nothing."""
