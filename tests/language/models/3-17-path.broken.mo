model class Pipe
  cut A (pa / q), B (pb / -q)
  main path P <A - D>
  pa - pb = q
end
model Paths
  submodel (Pipe) a, b
  connect a to b
end
