cut class Line (x(count("dof")) / f(count("dof")))

model class Joint
  constant k = number("dof")
  main cut (Line) a (x / f)
  for i = 1..count("dof") do
    f(i) = if i == k then x(i) else 0
  endfor
end

model class Ground
  main cut (Line) a (x / f)
  for i = 1..count("dof") do
    x(i) = i*time
  endfor
end

model Numbers
  submodel (Ground) g
  submodel (Joint) j(2)
  connect g to j(1) to j(2)
end
