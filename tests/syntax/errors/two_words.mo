model M
  local x, y
  if time > 1 then
    x = 1
  else if time > 0 then
    x = 2
  else
    x = 3
  end if
  for k = 1..3 do
    y(k) = 1
  end for
  when y > 1 then
    z = 1
  else when y < 1 then
    z = 2
  end when;
  initial
    x = 1
  end initial
  v = (if a then b
       else if c then d else e)
end

function f(x) result y
  while y < x do
    if y > 2 then
      y := 2*y
    else if y > 1 then
      y := 3*y
    end if
  end while
end

model N
  end if
  x = 1
end
