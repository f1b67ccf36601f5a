model BouncingBall "a ball that loses energy at each contact, and lies still when the leaps are too small to tell"
  parameter e = 0.8, g (unit="m/s2") = 9.81
  local h (unit="m", start=1), v (unit="m/s"), resting (start=false), contacts (start=0)
  der(h) = v
  der(v) = if resting then 0 else -g
  when h < 0 then
    new(contacts) = contacts + 1
    new(resting) = abs(v) < 0.01
    init(v) = if abs(v) < 0.01 then 0 else -e*v
  endwhen
  assert h > -1, "the ball has fallen through the floor"
end
