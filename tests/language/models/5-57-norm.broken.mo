model Norm
  local a, b, r(2)(unit="m"), c (unit="m2")
  a = norm(1, 2)
  b = norm()
  r = [1, 2]
  c = norm(r)
end
