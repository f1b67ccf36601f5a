@"parts/pair" with translational
@"parts/pair" as turning
model Both
  submodel (Walls) a
  submodel (turning.Walls) b
end
