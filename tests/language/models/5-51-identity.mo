model Identity
  constant n = 2
  local A(n,n), B(1,1), C(3,3)
  A = time*identity(n)
  B = identity(1)
  C = identity(n + 1) + 2*identity(size(C, 1))
end
