{ The controller of the paper's robot: a loop of the position around one of the speed, which a tachometer measures. The paper names it "cascade controller"
  and omits it; blocks and numbers are those of its edition for ModelicaAdditions (Otter 2000), which J. Franke and M. Otter: The Manutec r3 Benchmark Models
  for the Dynamic Simulation of Robots, DLR TR R101-93, has from measurements. All six axes have the same.

           rqd -> Kd -------+
                            v
    rq -> (-) -> Kv ------> + -> (-) -> lead (rate2) -> integrator (rate3) -> Vd
           ^                      ^
           q                      +--- lead (rate1) <- tacho2 <- tacho1 <- qd }

@blocks

model class LeadLag "(T1*s + 1)/(T2*s + 1), which begins at rest"
  parameter T1 (unit="s"), T2 (unit="s") "of numerator and denominator"
  cut inp (u), out (y)
  main path P <inp - out>
  local x (fixed=false) "u, delayed by T2"
  T2*der(x) = u - x
  y = x + T1*((u - x)/T2)
  initial
    der(x) = 0
  endinitial
end

model class R3control "position and speed of the motor, and what is wanted, on the motor's side -> wanted current, in V"
  parameter Kv (unit="V/rad") = 0.3,
            Kd (unit="V.s/rad") = 0.03 "of the position and the wanted speed"
  submodel (FirstOrder) tacho1(k=0.03, T=8.475e-4, steady=true)
  submodel (SecondOrder) tacho2(w=2014, D=0.294, steady=true)
  submodel (LeadLag) rate1(T1=0.04, T2=0.0202), rate2(T1=0.00995, T2=0.00056)
  submodel (Integrator) rate3(k=340.8) "begins where the model around has it begin"
  main cut c (q, qd, Vd)
  terminal rq (unit="rad"), rqd (unit="rad/s") "wanted"
  connect tacho1 to tacho2 to rate1, rate2 to rate3
  tacho1.u = qd
  rate2.u = Kv*(rq - q) + Kd*rqd - rate1.y
  Vd = rate3.y
end
