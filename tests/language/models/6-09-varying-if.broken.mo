model class Part
  main cut A (v / i)
  v = i
end
model V
  local x (start=0), y, z(2), n (start=0)
  submodel (Part) p, q
  der(x) = 1
  if x < 0.5 then
    y = 1
    z = [x, 2*x]
  elseif x < 0.7 then
    y = 2
  endif
  if time < 1 then
    connect p to q
  endif
  if x > 0 then
    new(n) = 1
  endif
  if x then
    y = 1
  else
    y = 2
  endif
end
