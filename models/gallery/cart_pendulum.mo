{ An inverted pendulum on a cart with a digital controller: a Kalman filter estimates the state from two noisy measured
  values; the force of the next interval is -K times the state that is predicted for its start. The gains are those
  of docs/gallery/cart_pendulum.md. }

@mbssim
@blocks
@noise
@discrete

model CartPendulum "cart, inverted pendulum, sensors with noise, Kalman filter, state feedback"
  internal seed = 1
  constant T (unit="s") = 10 ms "time between samples"
  parameter K(4) = [-7.071, -7.224, -48.259, -9.232] "gain of the controller, for x, v, phi, w"
  parameter A(4,4) = [1, 0.01, -1.02688e-4, -3.42260e-7;
                      0, 1, -2.05427e-2, -1.02688e-4;
                      0, 0, 1.0014833, 1.00049e-2;
                      0, 0, 0.296728, 1.0014833],
            B(4,1) = [4.65136e-5; 9.30312e-3; -1.16308e-4; -2.32673e-2] "x(k + 1) = A*x(k) + B*F(k)"
  parameter sigma_x (unit="m") = 2 mm, sigma_phi (unit="rad") = 0.005 "noise of the sensors"
  parameter Q(4,4) = B*B',
            R(2,2) = [4e-6, 0; 0, 2.5e-5] "covariances of the state, in a sample, and of the measured values"
  parameter sigma_F (unit="N") = 1 "noise of the force on the cart"
  input push (unit="N") "force on the cart from outside"
  submodel (Inertial) world(ng3=-1)
  submodel (Prismatic) track(n1=1)
  submodel (Revolute) hinge(n2=1, q0=0.3)
  submodel (Body) cart(m=1), rod(m=0.3, r3=0.3, I11=0.009, I22=0.009)
  submodel (JointForce) motor
  submodel (AddedNoise) position(T=T, sigma=sigma_x), angle(T=T, sigma=sigma_phi)
  submodel (NormalNoise) disturbance(T=T, sigma=sigma_F)
  submodel (KalmanFilterN) filter(T=T, t0=T/100, nx=4, nu=1, ny=2, A=A, B=B,
                                  C=[1, 0, 0, 0; 0, 0, 1, 0], Q=Q, R=R)
  submodel (FixedShape) box(length=0.2, width=0.12, height=0.08, r1=-0.1),
                        stick(length=0.6, width=0.02, n3=1)
  local F (unit="N", start=0) "force of the controller"
  connect world to track to hinge, cart at track:b, rod at hinge:b, motor at track:ext,
          box at track:b, stick at hinge:b
  position.u = track.q
  angle.u = hinge.q
  filter.y = [position.y, angle.y]
  filter.u = F
  when sample(0, T) then
    new(F) = -K'*(A*filter.x + B(:,1)*F)
  endwhen
  motor.f = F + disturbance.y + push
  experiment (stop=4, points=401)
end
