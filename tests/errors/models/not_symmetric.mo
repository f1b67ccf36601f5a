model M
  local J(2,2)(symmetric), x
  x = time
  J = [1, x; 2*x, 1]
end
