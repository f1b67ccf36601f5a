model Identity
  local A(2,2), B(2,2), C(2,2), D(2,2)
  A = identity(3)
  B = identity(1.5)
  C = identity(time)
  D = identity(2, 3)
end
