{ A first-order filter behind a pulse width modulator of 10 kHz: two events of time in each period. }

model Pulses
  parameter T (unit="s") = 1e-4 "period"
  parameter share = 0.3 "part of the period with voltage"
  local x (start=0), u
  u = if mod(time, T) < share*T then 1 else 0
  0.01*der(x) = u - x
end
