type Kind = (A, B)

model class Choice
  parameter (Kind) k = A
  local z
  z = if k == Kind.A then 1 else 2
end

model class S
  main cut W (u / i)
  u = i
end

model M
  parameter n = 3, c = 2, R = "10"
  local sa (strat=3), f, s, q, w, v, f
  submodel (Choice) choice
  submodel (S) sd(n), m(n)
  f = c(sa - s)
  s = "abc"
  sa = sqrt(-1)
  q = 1/0 + 1/(c - 2)
  w = div(3, 2) + pow(2, 3) + integer(2.5) + ln(2)
  connect sd(k) to m(k)
  v = True or False
end
