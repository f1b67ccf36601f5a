model M "motor: the speed has a start, the current has none"
  parameter R = 1, L = 0.1, k = 0.5, J = 0.02, V = 10
  local i, w (start=3)
  L*der(i) = V - R*i - k*w
  J*der(w) = k*i
end
