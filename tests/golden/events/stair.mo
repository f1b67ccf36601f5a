model Stair "a stair of time events, smoothed by a filter that begins at rest"
  parameter first (unit="s") = 0.5, width (unit="s") = 1, height = 0.1
  local level (start=0), x, dead
  when sample(first, width) then
    new(level) = level + height
  endwhen
  der(x) = level - x
  dead = noevent(if x > 0.5 then x - 0.5 else 0) + smooth(if time > 2 then time - 2 else 0)
  initial
    if height > 0 then
      init(x) = level
    else
      der(x) = 0
    endif
  endinitial
end
