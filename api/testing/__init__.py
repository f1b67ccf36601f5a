"""Runs the tests of a user's models: files of tests -> cases -> outcomes. `cutset test` prints them."""
