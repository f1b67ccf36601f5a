model Names
  local Mass, mass, MASS
  Mass = 1
  mass = 2*Mass
  MASS = Mass + mass
end
