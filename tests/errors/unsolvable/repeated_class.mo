{ What is wrong in a class is said once, however many submodels have it. }
model class Cell
  cut A (Va / i), B (Vb / -i)
  main path P <A - B>
  local u, w
  u = Va - Vb
  w = 3*u
  2*w = 6*u
end

model M
  submodel (Cell) s(12)
  submodel (Cell) a1, a2, a3
  connect s(k):B at s(k+1):A for k = 1..11
  connect a1 to a2 to a3
end
