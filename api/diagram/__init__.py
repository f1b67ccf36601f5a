"""Draws models as SVG: submodels with their connections, and the incidence of the equations."""
