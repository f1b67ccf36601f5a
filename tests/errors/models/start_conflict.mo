model class Store
  cut A (V / i)
  parameter u0 = 0, C = 3
  local u (start=u0)
  u = V
  C*der(u) = i
end

model M
  submodel (Store) a(u0 = 2), b(u0 = 4), c(u0 = 2)
  connect a:A at b:A, a:A at c:A
end
