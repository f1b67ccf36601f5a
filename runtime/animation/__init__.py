"""Animates results of multibody models: as a web page that plays them, and as glTF."""
