model DelayLine "a wave on a line without losses, with a resistor at the end; the line is two delays"
  parameter Z = 50, T (unit="s") = 1e-8, R = 100
  local a(2), b(2), u(2), i(2)
  u(1) = 1
  for k = 1..2 do
    a(k) = u(k) + Z*i(k)
    b(k) = u(k) - Z*i(k)
  endfor
  b(1) = delay(a(2), T)
  b(2) = delay(a(1), T)
  u(2) = -R*i(2)
end
