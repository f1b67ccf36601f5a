"""Functions of the language: checked, executed at translation, or made into procedures of the generated program."""
