"""Functions of the language: checked, executed at translation, or lowered to functions of the generated program."""
