"""Translates the text of a model into the source code of a simulator. `pipeline` calls the stages, one folder each."""
