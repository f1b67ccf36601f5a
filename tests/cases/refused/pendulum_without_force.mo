{ The force of the rod stands in no equation of motion: the constraint has nothing to act with. }

model PendulumWithoutForce
  local x (start=1), y, vx, vy, F
  der(x) = vx
  der(y) = vy
  der(vx) = -x
  der(vy) = -9.81
  x^2 + y^2 = 1
end
