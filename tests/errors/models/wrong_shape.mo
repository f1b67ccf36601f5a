model M
  local v(3), A(2,2), s
  s = v + 1
  A*v = zeros(2)
  v = [1, 2; 3, 4]*v
  s*[1, 2] = v*v
end
