model M
  parameter to = 3
  local node, at, loop (start=1), end
  node = to*2
  at = node + to
  to = 5
  loop = at
  der(loop) = node
  end = 3*node
  x = loop
  at.x = 3
  node.y = x
  submodel (A) do(to=3), par
  connect do to par
  connect to:a to do:b
end
