model Terminations
  local x (start=1)
  der(x) = -x
  terminate x, "it has decayed"
  terminate 1 < 2, "at once"
end
