{ The controllers of an axis: speed and position of the motor -> the current that it is to have. }

@blocks
@sources

model class R3control "cascade: a proportional controller of the position around a PI controller of the speed"
  parameter ratio (unit="1") "of the gear: the reference is that of the joint, what is measured that of the motor"
  parameter kp (unit="1/s") = 5 "gain of the position"
  parameter ks (unit="A.s/rad") = 0.5, Ts (unit="s") = 0.05 "gain and time of the speed"
  submodel (PI) PI(k=ks, T=Ts)
  terminal q_ref (unit="rad"), qd_ref (unit="rad/s") "of the joint"
  terminal q (unit="rad"), qd (unit="rad/s") "of the motor"
  terminal i_ref (unit="A") "current"
  PI.u = ratio*qd_ref + kp*(ratio*q_ref - q) - qd
  PI.y = i_ref
end
