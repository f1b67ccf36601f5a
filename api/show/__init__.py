"""Lists and draws models and their results. Runs nothing."""
