model class Joint
  constant k = number("dof")
  terminal y
  y = k + number("dof")
end

model M
  submodel (Joint) j
end
