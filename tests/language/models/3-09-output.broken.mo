model class Lag
  output y
end
model Outputs
  submodel (Lag) a
  output z = 2
  z = a.y
end
