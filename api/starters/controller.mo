{ A motor that turns a load, with a digital controller of its speed. Text in braces is a comment. }

{ Include libraries: their classes are the parts of the model. `cutset classes rotational` lists them. }
@electrical
@rotational
@discrete

model NAME "speed of a motor, controlled every 10 ms"
  { Parameters can be changed from outside: --set kp=2. }
  parameter kp = 0.3 "gain of the controller", Ti (unit="s") = 0.2 "its integral time"
  constant T (unit="s") = 0.01 "time between two samples"
  parameter w1 (unit="rad/s") = 100 "the speed to reach"

  { The parts: (class) name(parameter = value). }
  submodel (DiscretePID) controller(T=T, k=kp, Ti=Ti, ymax=24)
  submodel (VSource) supply
  submodel (DCMachine) motor(Ra=0.5, La=1e-3, J=1e-4, k=0.05)
  submodel (Ground) g
  submodel (SpringDamper) shaft(c=50, d=0.01)
  submodel (Inertia) load(J=1e-3)
  submodel (ConstTorque) weight(tau0=-0.05)

  { `to` joins parts in series, `at` names the places at which a part is connected. }
  connect supply:A to motor to supply:B, g at supply:B, motor:flange to shaft to load to weight

  { Signals are joined by equations, in any order. }
  controller.u = if time < 0.1 then 0 else w1
  controller.um = load.w
  supply.u = controller.y
end
