model class Spring
  parameter c = 100
  local f
  f = c*time
end
model class (Spring) Soft
  parameter c(2) = [1, 2]
  local f
end
model Springs
  submodel (Soft) b
end
