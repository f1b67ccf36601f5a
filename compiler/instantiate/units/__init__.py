"""Units of measurement: read, inferred over the equations of a class and over connections, and compared."""
