model M
  parameter to = 3
  local node, 'node 3+'
  node = to*2
  'node 3+' = node + to
  'node 3-' = 1
end
