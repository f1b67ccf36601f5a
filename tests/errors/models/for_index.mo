@"parts.inc"

model M
  submodel (Resistor) r(3)(R = 1)
  parameter n = 3
  local k, x(3)
  for k = 1..3 do
    x(k) = 1
  endfor
  for j = 1..4 do
    x(j) = 1
    for j = 1..2 do
      x(j) = 2
    endfor
  endfor
  connect r(j) to r(j + 1) for j = 1..3, r(1) to r(i) for i = 1..x
  for i = 1..n do
    x(i) = 3
  endfor
  for i = 1.5..[1, 2] do
    x(i) = 3
  endfor
  for i = 1..1e9 do
    x(i) = 3
  endfor
  k = i
end
