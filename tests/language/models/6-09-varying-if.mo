model V
  parameter kind = 2
  local x (start=0, fixed=false), y, z(2), w
  der(x) = 1
  if x < 0.5 then
    y = 1
    z = [x, 2*x]
    if y > 2 then
      w = 3
    else
      2*w = 4
    endif
    assert w < 5, "w is too large"
  elseif kind == 1 then
    y = 0
  elseif time < 0.8 then
    w = y
    y = 2 + x
    for k = 1..2 do
      z(k) = k
    endfor
  else
    z = [0, 0]
    y + w = 3
    y - w = 1
  endif
  initial
    if x > 2 then
      x = 3
    else
      x + y = 0.9
    endif
  endinitial
end
