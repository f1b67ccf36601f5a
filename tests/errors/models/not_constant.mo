model M
  parameter n = 3
  local k, v(3), w(k)
  constant c = 2*n
  k = time
  v(k) = 1
  v = zeros(k)
  w = 1
  for j = 1..k do
    v(j) = 1
  endfor
end
