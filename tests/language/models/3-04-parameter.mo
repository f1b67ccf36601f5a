model class Body
  parameter m, I(3,3), r(2) = [m, 2*m], k = r(1)
  terminal w(3), t(3)
  t = m*I*w
end
model class (Body) Ball
  parameter m = 2
end
model Bodies
  parameter a = 2, b = 0, J(3,3) = a*identity(3)
  submodel (Body) x(m = a, I = J, w = [1, b, time])
  submodel (Ball) y(I = [1, 0, 0; 0, 2, 0; 0, 0, 3], w = ones(3))
end
