{ A list ends with a comma; a line is continued as in MATLAB; a reserved word is used as a name in several places. }

model class Part
  parameter tau, when
  local x, y
  x = tau + when
  y = tau*2 + ...
      tau
end

model Lists
  submodel (Part) p(tau=1, when=2), q(tau=2)
  node n1, n2,
end
