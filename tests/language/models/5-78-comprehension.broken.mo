model Comprehensions
  parameter k = 2, T(2)(unit="s") = [1, 2]
  local v(3), w(2)(unit="m"), x(2)
  v = [k*time for k = 1..2]
  w = [T(i) for i = 1..2]
  v = [j for i = 1..3]
  x = [i for i = 2..1]
  x = [i for i = 1..time]
  x = [i + j + l for i = 1..2 for j = 1..2 for l = 1..2]
end
