model AtRest
  local x, n
  der(x) = -x
  initial
    x = [1, 2]
    connect x at x
  endinitial
end
