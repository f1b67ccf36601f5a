model Norm
  local v(2), a, b, c (unit="m"), r(2)(unit="m")
  v = [3, 4*time]
  a = norm(v)
  b = der(norm(v)) + norm([3, 4])
  r = [1, 2]
  c = norm(r)
end
