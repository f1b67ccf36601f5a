{ The controllers of an axis: speed and position of the motor -> its reference current. }

@blocks
@sources

model class R3control "cascade: a proportional controller of the position around a PI controller of the speed"
  parameter ratio (unit="1") "of the gear; references are those of the joint, measurements those of the motor"
  parameter kp (unit="1/s") = 5 "gain of the position controller"
  parameter ks (unit="A.s/rad") = 0.5,
            Ts (unit="s") = 0.05 "gain and integral time of the speed controller"
  submodel (PI) PI(k=ks, T=Ts)
  terminal q_ref (unit="rad"), qd_ref (unit="rad/s") "of the joint"
  terminal q (unit="rad"), qd (unit="rad/s") "of the motor"
  terminal i_ref (unit="A") "current"
  PI.u = ratio*qd_ref + kp*(ratio*q_ref - q) - qd
  PI.y = i_ref
end
