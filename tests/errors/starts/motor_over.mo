model M "motor: steady current, and the start of it"
  parameter R = 1, L = 0.1, k = 0.5, J = 0.02, V = 10
  local i (start=0), w (start=0)
  L*der(i) = V - R*i - k*w
  J*der(w) = k*i
  initial
    der(i) = 0
  endinitial
end
