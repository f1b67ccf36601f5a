model Block "a block on a rough table: stuck (mode 0), or sliding to one side (1, -1)"
  parameter m (unit="kg") = 1, F0 (unit="N") = 5, F1 (unit="N") = 4
  local x (unit="m"), v (unit="m/s", start=0), a (unit="m/s2"), f (unit="N"), mode (start=0)
  local pull (unit="N")
  der(x) = v
  der(v) = a
  pull = 10*sin(time)
  m*a = if mode == 0 then 0 else pull - f
  f = if mode == 0 then pull else mode*F1
  new(mode) = if mode == 0 and f > F0 then 1 elseif mode == 0 and f < -F0 then -1 elseif mode*v < 0 then 0 else mode
  when new(mode) == 0 then
    init(v) = 0
  endwhen
end
