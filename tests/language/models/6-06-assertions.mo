model Guarded
  parameter limit = 3
  local x (start=1)
  der(x) = x
  assert x < limit, "x stays below its limit"
  when x > 2 then
    assert time > 0.1, "not so fast"
  endwhen
  terminate time > 5, "long enough"
end
