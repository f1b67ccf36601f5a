model class Body
  external gravity (unit="m/s2")
  external T (unit="K", start=3)
  external p (unit="bar"), R(3,3), rho
  local w
  w = 1
end

model class Robot
  submodel (Body) b
end

model M
  parameter rho = 1000
  internal gravty = 9.81, p (unit="Pa") = 1e5, R(2,2) = [1, 0; 0, 1]
  internal T = 20
  submodel (Robot) r
end
