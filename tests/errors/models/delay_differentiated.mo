model Follower
  local leader, x, v
  leader = sin(time)
  der(x) = v
  x = delay(leader, 0.1)
end
