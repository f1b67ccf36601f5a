model Random
  constant stream = random_stream("y")
  parameter a = random_uniform(3, stream, 0)
  local k (start=0), y (start=a)
  when sample(0, 0.1) then
    new(k) = k + 1
    if random_uniform(3, stream + 1, k) < 0.5 then
      new(y) = random_normal(3, stream, k)
    endif
    assert random_uniform(3, stream + 1, k) >= 0, "never"
  endwhen
end
