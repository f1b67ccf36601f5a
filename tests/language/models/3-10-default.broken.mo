model class Motor
  local h
  terminal v
  default h = 1
  default v
  h = v
end
model Defaults
  input u
  default u = 2
  submodel (Motor) a
end
