model class Cell
  parameter C = 1
  terminal x(2)
  main cut c (T / Q)
  C*der(T) = Q
  x = [1, 2]
end

model Plate
  submodel (Cell) c(2,3)(C=[1, 2; 3, 4]), d(2,3)(C=[1, 2, 3]), e(2,2), f(2)
  local a, b(2,3), s
  connect e(1) to f(1), e(1,3) to f(1), e(1,:) to f(2), e(:,:) to f(1..2), e to f
  a = e(1,1).T + e.T + e(1).T
  b = c.x
  s = sum(e(:,4).T)
end
