model M "three capacitors in a ring, of which one has a start"
  parameter C = 1, R = 1
  local u1 (start=1), u2, u3, i
  C*der(u1) = i
  C*der(u2) = i
  C*der(u3) = -u3/R - i
  u1 + u2 = u3
end
