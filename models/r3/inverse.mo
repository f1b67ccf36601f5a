{ The inverse problem: the torques that move the arm along the path of r3.mo, without drives. }

@arm
@sources

model Inverse "torques tau(1) to tau(6) at the joints"
  submodel (KinematicPTP2) way(n=6, q0=[-60, 20, 90, 0, -110, 0] deg,
                               q1=[60, -70, -35, 45, 110, 45] deg,
                               v_max=[3, 1.5, 5, 3.1, 3.1, 4.1],
                               a_max=[15, 15, 15, 60, 60, 60])
  submodel (mbs.Motion) drive(6)
  submodel (R3mbs) arm
  output tau(6)(unit="N.m")
  connect drive(1) at arm:j1, drive(2) at arm:j2, drive(3) at arm:j3, drive(4) at arm:j4,
          drive(5) at arm:j5,
          drive(6) at arm:j6
  drive.q_ref = way.q
  tau = drive.f
end
