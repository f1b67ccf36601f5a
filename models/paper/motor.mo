{ One motor of the paper with a load on its shaft, driven by a voltage at the node n1. }

@r3.lib

model class Shaft
  main cut s (q, qd, qdd / f)
  parameter J = 0.01
  qd = der(q)
  qdd = der(qd)
  J*qdd = f
end

model class Command
  main cut c (q, qd, Vd)
  parameter V = 1
  Vd = V
end

model Motor
  submodel (R3motor) m(Ci=5.2288e-7, La=0.045389, k=1.1616)
  submodel (Shaft) shaft
  submodel (Command) command
  connect command to m to shaft
end
