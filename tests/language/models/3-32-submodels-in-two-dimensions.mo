model class Cell
  parameter C = 1, k(2) = [0, 0]
  input T0
  main cut c (T / Q)
  C*der(T) = Q + k(1)*T0
end

model class Rod
  parameter G = 1
  cut a (Ta / Q), b (Tb / -Q)
  main path P <a - b>
  Q = G*(Ta - Tb)
end

model class Row "has an array in one dimension"
  submodel (Cell) r(2)(T0=[1, 2])
  main cut last [r(end):c, r(1):c]
  terminal x
  x = 2*time
end

model Plate
  constant n = 3, m = 3
  submodel (Cell) c(n,m)(C=[1, 2, 3; 4, 5, 6; 7, 8, 9], k=[1, 2], T0=[k + j for k = 1..n for j = 1..m])
  submodel (Rod) h(n,m - 1), v(n - 1,m)(G=[7, 8, 9; 10, 11, 12])
  submodel (Row) row(n,1)
  local T(n,m), top(m), left(n), part(1,2), all
  connect c(k,j) to h(k,j) to c(k,j + 1) for k = 1..n for j = 1..m - 1
  connect c(1..end - 1,:) to v(:,:) to c(2..end,:), row(1,1) to row(2,1)
  T = c.T
  top = c(1,:).T
  left = c(:,end).T
  part = c(2..2,1..2).T
  all = row(2,1).x + sum(row(1,:).x)
end
