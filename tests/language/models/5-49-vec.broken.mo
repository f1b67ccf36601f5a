model Vec
  local a(3), b(3)
  a = vec([1, 2, 3])
  b = vec(identity(2))
end
