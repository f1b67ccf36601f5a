model class Axis
  parameter (Text) mode
  output x
  x = if mode == 1 then 3 else 2
end

model Axes
  parameter k = "fast"
  submodel (Axis) a(mode=k), b(mode=3), c(mode=if time > 1 then "slow" else "fast")
  local (Text) now
  b.x = k*2
end
