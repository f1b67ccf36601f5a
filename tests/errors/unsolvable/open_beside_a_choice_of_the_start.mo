model class PI
  parameter (Boolean) steady = false
  local x (start=0, fixed=false)
  terminal u, y
  der(x) = u
  y = x + u
  initial
    if steady then
      der(x) = 0
    endif
  endinitial
end

model Axis
  submodel (PI) c
  terminal v
  v = 2*c.y
end
