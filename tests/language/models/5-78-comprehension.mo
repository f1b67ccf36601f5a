function partial_sum(n) result y
  y := n*sum([1/k^2 for k = 1..10])
end

model class Cell
  parameter a = 1
  terminal x (unit="m")
  x = a*time
end

model Comprehensions
  parameter n = 3
  submodel (Cell) c(n)(a=[k^2 for k = 1..n])
  local v(n), A(2,3), P(2,3), w(2)(unit="m"), s
  v = [if k == 1 then time else v(k - 1)*k for k = 1..n]
  A = [10*i + j for i = 1..2 for j = 1..3]
  P = [[k, k^2] for k = 1..n]
  w = [2*c(k).x for k = n..-2..1]
  s = partial_sum(time) + sum([sum([i*j for j = 1..i]) for i = 1..2])
end
