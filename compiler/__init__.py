"""Text of a model -> source code of a simulator. The folders are the stages; `pipeline` calls them in order."""
