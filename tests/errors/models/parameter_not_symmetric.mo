model class Rotor
  parameter J(2,2)(symmetric) = [1, 2; 3, 4]
end

model M
  submodel (Rotor) r, s(J = [1, 0.5; 0.4, 1])
end
