"""Reads what runs are given: values of parameters and states, inputs and delayed values over time."""
