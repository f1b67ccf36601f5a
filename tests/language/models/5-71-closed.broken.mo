model Triangle "x and y follow from u"
  parameter p = 3
  local x, y, closed, u
  der(u) = 1
  x^2 + y^2 = (p + u)^2
  x = y
  closed = x + y
  closed y = (p - u)/sqrt(2)
end
