model class Part
  parameter p = 1
end

model class Many
  submodel (Part) part(9000)
end

model M
  submodel (Many) m(12)
end
