model M
  local x(begin=0), y(unit=3), z(state=perhaps), J(2,3)(symmetric)
  x = 1
  y = 2
  z = 3
  J = zeros(2, 3)
end
