model Cross
  parameter w(3) = [0, 0, 2]
  local r(3), v(3), a(3)
  r = [1, time, 0]
  v = cross(w, r)
  a = der(cross(w, r)) + cross([1, 0, 0], [0, 1, 0])
end
