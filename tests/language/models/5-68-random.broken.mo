model Random
  constant stream = random_stream("y")
  parameter a = random_uniform(3, stream, 0)
  local y
  y = random_normal(3, stream, time)
end
