model Size
  parameter n = 3
  local v(n), A(n,2), a, b, I(size(v, 1))
  v = ones(size(v, 1))
  A = zeros(size(A, 1), size(A, 2))
  a = size(A, 1) + 10*size(A, 2)
  b = size([1, 2; 3, 4; 5, 6], 1)
  for k = 1..size(I, 1) do
    I(k) = k
  endfor
end
