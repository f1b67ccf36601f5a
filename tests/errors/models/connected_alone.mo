model class Pipe
  cut A (p / q), B (p2 / -q)
  main path P <A - B>
  p - p2 = q
end

model M
  submodel (Pipe) a, b, c(2)
  connect a:B, b:A
  connect (c(k):A) for k = 1..2, reversed b
end
