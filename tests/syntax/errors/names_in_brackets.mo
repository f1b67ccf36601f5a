model M
  submodel (A) b(6), c(R)
  submodel (A) b(R = 1, 2)
  local x(start=1)(3)
  local y(3)(3)
  local z(3, start=1)
  local w (a.b = 3)
  submodel (A) c(a.b(1).R = 2)
end
