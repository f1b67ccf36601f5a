"""Serves editors: the language server of Cutset."""
