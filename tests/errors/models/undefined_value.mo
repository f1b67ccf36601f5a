model class Joint
  parameter n1 = 0, n2 = 0
  local n(2)
  n = [n1, n2]/norm([n1, n2])
end

model M
  submodel (Joint) j
end
