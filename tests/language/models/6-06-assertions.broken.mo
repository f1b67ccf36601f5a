model Guarded
  parameter limit = 3
  local x (start=1)
  der(x) = x
  assert limit < 0, "the limit is negative"
  assert x < limit
  terminate x
end
