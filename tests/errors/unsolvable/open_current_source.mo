@electrical

model OpenCurrentSource
  submodel (IConst) I1(I = 1)
  submodel (Ground) g
  connect g at I1:B
end
