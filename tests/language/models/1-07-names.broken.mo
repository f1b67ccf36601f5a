model Names
  local Mass, inertia
  mass = 1
  inertia = intertia
  Mass = Time
end
