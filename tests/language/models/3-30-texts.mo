model class Axis "driven in two ways"
  parameter mode = "slow", name = "axis"
  constant is_fast = mode == "fast"
  parameter v(2) = [1, 2], x_max = 5
  local x (start=0)
  if is_fast then
    der(x) = v(2)
  else
    der(x) = v(1)
  endif
  assert x < x_max, "{name}: x = {x} exceeds {x_max} in mode {mode}"
end

model Axes
  parameter mode = "fast"
  submodel (Axis) left(name="left", mode=mode), others(2)(name=["middle", "right"])
end
