model class Sampler
  input u
  output y (start=0)
  when sample(0, 0.1) then
    new(y) = u
  endwhen
end

model M
  submodel (Sampler) a, b
  local x
  a.u = sin(time)
  b.u = a.y
  a.y = b.y
  x = 2*a.y
  b.y = 3
end
