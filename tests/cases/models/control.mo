{ Examples of Modelica.Blocks of the Modelica Standard Library 4.0 and of Modia, written anew. }

@blocks
@rotational
@sources

model PIDController "speed control of a drive; the limits are reached, and the start is a steady state"
  submodel (KinematicPTP) way(q1=1.570796326794897, v_max=1, a_max=1, t0=0.5)
  submodel (Integrator) speed
  submodel (LimPID) PI(k=100, Ti=0.1, with_D=false, ymax=12, Ni=0.1, steady=true)
  submodel (Torque) torque
  submodel (FreeInertia) J1(J=1), J2(J=2)
  submodel (SpringDamper) spring(c=1e4, d=100)
  submodel (ConstTorque) load(tau0=10)
  submodel (SpeedSensor) sensor
  connect way:a_out at speed:inp, speed to PI to torque to J1 to spring to J2 to load,
          J1:B to sensor to PI:measured
  initial
    J1.phi = 0
    J1.a = 0
    spring.w_rel = 0
    J1.a = J2.a
  endinitial
end

model InverseModel "a filtered signal drives the inverse of a delay, and that a delay like it: the delay of the filter is left"
  constant pi = 3.14159265358979323846
  submodel (Sine) sine(f=2, offset=1, t0=0.2)
  submodel (CriticalDamping) filter(n=1, f=100)
  submodel (FirstOrder) inverse(T=0.3, steady=true), plant(T=0.3, steady=true)
  connect sine to filter
  inverse.y = filter.y
  plant.u = inverse.u
end

model TwoInertiasAndIdealGear "torque on a small inertia, a gear, and a great inertia"
  submodel (FreeInertia) J1(J=0.0025)
  submodel (Inertia) J2(J=170, phi0=0.5)
  submodel (IdealGear) gear(ratio=105)
  submodel (Torque) torque
  connect torque to J1 to gear to J2
  torque.tau = if time < 1 then 1 elseif time < 2 then 0 elseif time < 3 then -1 else 0
end
