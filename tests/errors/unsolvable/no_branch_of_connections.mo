{ The connection is not made, for the parameter is 0: c floats, and a is not heard. }
cut class Pin (v (unit="V") / i (unit="A"))

model class Two
  cut (Pin) A (Va / i), B (Vb / -i)
  parameter R (unit="Ohm") = 2
  Va - Vb = R*i
end

model M
  submodel (Two) a, b, c
  parameter grounded = 0
  local x (unit="V")
  connect a:B at b:A, b:B at c:A
  if grounded == 1 then
    x = a.Va
    connect c:B at a:A
  endif
end
