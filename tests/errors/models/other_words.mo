model class Spring
  parameter c, l(2) = [1, 2]
  terminal x
  local f
  main cut A (F / v)
  main cut Both [A, B]
  path P <A - D>
  f = c*x
end

model class (Spring) Soft
  parameter c(2) = [1, 2]
  parameter l(2) = [3, 4]
end

model Words "as other languages have them"
  submodel (Soft) s
  local a, b(2,2), d, e, g (fixed), h
  local a
  a = ln(2) + pow(time, 2) + pre(a)
  b = eye(2) + b*True
  d = sin + PI
  e = s.y + A.x + a.x
  g = interp1(1)
  h = max(b, 1) + s(2).x + "a"
end
