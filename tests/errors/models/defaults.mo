model class Lamp
  parameter R = 10
  terminal V
  local P
  default V, R = 3, P = 1, x = [1, 2]
  P = V^2/R
end

model class Wrong (class Kind = Lamp)
  default y = 1
  default y = 2
end

model M
  input u
  default u = 3
  submodel (Lamp) l(V = [1, 2]), k(P = 3)
  submodel (Wrong) w
end
