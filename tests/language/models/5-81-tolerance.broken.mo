model class Part
  parameter (Integer) n = 2 +- 1, c (unit="N/m") = 1
  terminal x
end

model Scale
  parameter T = 20 degC +- 5 %, U (unit="K") = [20, 30] degC +- 1 degC
  parameter R = 1 kOhm +- 5, m = 2 +- -1, e = 3 +- m, a (min=1 +- 1) = 2
  parameter k = 2 +- 3
  constant g = 9.81 +- 1 %
  experiment (stop=1 +- 1)
  submodel (Part) p(c=1 N/m +- 1 N, x=3 +- 1)
end
