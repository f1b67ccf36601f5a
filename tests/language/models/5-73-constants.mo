@constants

model class Bounce
  parameter e = 0.8
  local x, pi, g_n
  pi = 3
  g_n = 10
  x = e*pi*g_n
end

function area(r) result A
  A := pi*r^2
end

model Constants
  submodel (Bounce) b
  local z(2), w (unit="rad/s"), A, y, F (unit="N")
  parameter f (unit="Hz") = 50, W (unit="N") = 2 kg*g_n
  for e = 1..2 do
    z(e) = e*time
  endfor
  w = 2*pi*f
  A = area(2)
  y = sin(pi*time) + e^time
  F = W + 1 kg*g_n()
end
