model class Inside
  local x(2), T(2,2)(symmetric), s
  x = [1, time]
  T = x*x'
  s = T(1,2)
end
model Locals
  submodel (Inside) i(2)
  local y
  y = time
end
