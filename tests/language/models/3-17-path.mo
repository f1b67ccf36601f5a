model class Pipe
  cut A (pa / q), B (pb / r), D (pd / s)
  main path P <A - B - D>
  path back <D - A>
  q + r + s = 0
  pa - pb = q
  pb - pd = -s
end
model class Tank
  main cut A (p / q)
  parameter p0 = 0
  p = p0
end
model Paths
  submodel (Pipe) a, b
  submodel (Tank) t(p0=2), u
  connect t to a to b to u
end
