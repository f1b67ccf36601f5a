@rotational
model M
  submodel (Torque) M
  submodel (Inertia) J(J=1)
  connect M to J
end
