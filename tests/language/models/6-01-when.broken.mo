model Balls
  local h, v, n
  parameter p = 1
  der(h) = v
  der(v) = -9.81
  when h then
    new(n) = 1
  endwhen
  when p > 1 then
    new(n) = 2
  endwhen
  when h < 0 then
    v = -v
  endwhen
end
