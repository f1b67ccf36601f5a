function reach(v, angel) result x
  local angle
  angle := angle2 + 1
  x := v^2/g*sin(2*angel)
  x := robot.g + sinus(v)
  X := 1
end

model M
  parameter g = 9.81
  local a
  a = reach(10, 0.5)
end
