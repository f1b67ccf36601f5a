model Terminations
  local x (start=1)
  der(x) = -x
  terminate x < 0.1, "it has decayed"
  when x < 0.5 then
    terminate time > 1, "late"
  endwhen
end
