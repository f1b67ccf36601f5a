@mbssim

model class Spindle "A turns, B slides"
  cut A (qa, qda, qdda / fa), B (qb, qdb, qddb / fb)
  main path P <A - B>
  parameter ratio = 100
  qa = ratio*qb
  qda = ratio*qdb
  qdda = ratio*qddb
  fb = -ratio*fa
end

model Lift
  submodel (Inertial) world
  submodel (Prismatic) rail(n3 = 1)
  submodel (Body) cage(m = 10)
  submodel (Spindle) spindle
  submodel (Rotor) rotor(J = 0.001)
  connect world to rail to cage, rotor to spindle to rail:ext
end
