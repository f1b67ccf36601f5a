model Starts
  local x (start=time), y (start=[1, 2]), z(2)(start=[1, 2, 3]), w (start=x)
  der(x) = -x
  der(y) = -y
  der(z) = -z
  der(w) = -w
end
