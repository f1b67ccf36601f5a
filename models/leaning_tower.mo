{ Blocks lie on each other, each one shifted by the same length. The tower stands if the shift is less than the length of a block
  over their number: then the center of mass of all blocks above each one is above it. }

@mbssim

model LeaningTower "a tower of five blocks, each shifted on the one below"
  parameter shift (unit="m") = 38 mm
  parameter size(3)(unit="m") = [0.2, 0.1, 0.05] "of a block"
  submodel (Inertial) world(ng3=-1)
  submodel (Free) place(5)(x1=[0, shift, 2*shift, 3*shift, 4*shift],
                           x3=[0.025, 0.075, 0.125, 0.175, 0.225])
  submodel (Body) block(5)(m=0.5, I=diagonal([0.5e-3, 1.8e-3, 2.1e-3]))
  submodel (PlaneCollision) floor(size_b=size, c=5e6, d=50, mu=0.6)
  submodel (Collision) hit(4)(size_a=size, size_b=size, c=5e6, d=50, mu=0.6)
  submodel (FixedShape) drawn(5)(r1=-0.1, n1=1, w2=1, length=0.2, width=0.1, height=0.05)
  connect world to place(:) to block(:), drawn(:) at place(:):b, floor at (world, place(1):b),
          hit(:) at (place(1..4):b, place(2..5):b)
  experiment (stop=2, points=201, method="cvode-bdf")
end
