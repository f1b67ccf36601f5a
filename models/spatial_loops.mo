{ Three loops in space in closed form, side by side: a double pendulum that a cylinder (JointUPS), a rod and a rocker (JointUSR), and
  a rod and a slider (JointSSP) connect with a bracket. Its ends have two degrees of freedom; no loop needs a system of equations. }

@mbssim

model SpatialLoops "a double pendulum with a cylinder, a rocker and a slider"
  submodel (Inertial) world(ng=[0, 0, -1])
  submodel (Revolute) arm(n=[1, 0.2, 0], q0=0.2), wrist(n=[0, 1, 0.2], q0=-0.3, qd0=1)
  submodel (Bar) upper(r=[0.1, 0, -1]), bracket(r=[0.9, -0.6, -0.3])
  submodel (Body) beam(m=1, r=[0.05, 0, -0.5], I=diagonal([0.1, 0.1, 0.01])),
                  link(m=3, r=[0.1, 0.2, -0.4], I=diagonal([0.2, 0.3, 0.4]))
  submodel (JointUPS) cylinder(na=[1, 2, 0.5], r1=[-0.8, 0.6, -0.7], s0=1)
  submodel (Body) tube(m=0.6, r=[-0.2, 0.15, -0.2], I=diagonal([0.03, 0.04, 0.05])),
                  piston(m=0.4, r=[0.1, -0.1, 0.1], I=diagonal([0.02, 0.02, 0.03]))
  submodel (JointUSR) rocker(na=[1, 0, 0], r1=[-0.4, 1.2, -0.3], nb=[1, 0.2, 0], r2=[0.3, 1.2, 0.1])
  submodel (Body) rod(m=0.5, r=[-0.2, 0.5, -0.3], I=diagonal([0.06, 0.03, 0.07])),
                  lever(m=0.3, r=[0.1, 0.2, 0], I=diagonal([0.01, 0.01, 0.02])),
                  pin(m=0.2, I=diagonal([0.01, 0.01, 0.01]))
  submodel (JointSSP) slide(r1=[-1.2, 1, -1.6], nb=[0.2, 0.3, 1], r2=[-0.2, 0.2, 0])
  submodel (Body) carriage(m=0.5, r=[0, 0.1, 0], I=diagonal([0.01, 0.02, 0.02]))
  connect world to arm to upper to wrist to link, beam at arm:b, world to bracket,
          bracket to cylinder, cylinder:b at wrist:b, tube at cylinder:ia, piston at cylinder:ib,
          bracket to rocker, rocker:b at wrist:b, rod at rocker:ia, lever at rocker:ib,
          pin at rocker:im,
          bracket to slide, slide:b at wrist:b, carriage at slide:im
end
