{ Small systems with events: a ball that comes to rest, a staircase, equations of truth that need several passes. }

model BouncingBall "a ball that loses speed at each impact, and lies still from a speed of vmin on"
  parameter g (unit="m/s2") = 9.81, e = 0.7, vmin (unit="m/s") = 0.1
  local h (unit="m", start=1), v (unit="m/s"), lies (start=false)
  der(h) = if lies then 0 else v
  der(v) = if lies then 0 else -g
  when h <= 0 and v < 0 then
    if -e*v < vmin then
      init(v) = 0
      init(h) = 0
      new(lies) = true
    else
      init(v) = -e*v
    endif
  endwhen
end

model Stair "a counter of seconds"
  local counter (start=1)
  when sample(1,1) then
    new(counter) = counter + 1
  endwhen
end

model EventIteration "what one event brings about comes to rest after several passes"
  local x (start=1), h1
  local (Boolean) y (start=false), z (start=false), c1 (start=false), c2 (start=false),
        c3 (start=false)
  der(x) = 1
  h1 = x >= 1.5
  when h1 then
    new(y) = true
  endwhen
  when y then
    new(z) = true
  endwhen
  new(c1) = z
  new(c2) = c1
  new(c3) = c2
end
