model M
  local T(3,3)(rotation), q
  q = time
  T = [cos(q), sin(q), 0; sin(q), cos(q), 0; 0, 0, 1]
end
