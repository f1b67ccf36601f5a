model class Part
  parameter p = 1
  terminal t
  input u
  t = p + u
  when u > 1 then
    new(p) = 2
    new(u) = 0
    new(nowhere) = 1
    new(2*t) = 1
    init(p) = 3
    new() = 1
  endwhen
end

model M
  submodel (Part) part
  constant c = 1
  local v(3), n (start=0)
  part.u = time
  v = [n; n; n]
  when time > 1 then
    new(part.t) = 1
    new(c) = 2
    new(n) = v
    new(v(1)+1) = 2
  endwhen
end
