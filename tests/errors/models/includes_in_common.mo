@rotational
@translational
model M
  submodel (Inertia) J(J=1)
end
