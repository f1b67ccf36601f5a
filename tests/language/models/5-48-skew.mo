model Skew
  parameter p(3) = [1, 2, 3]
  local w(3), S(3,3), x(3)
  w = [time, 2, 3]
  S = skew(w)
  x = skew(w)*p - cross(w, p)
end
