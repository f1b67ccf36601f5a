model DelayedControl "a two-point controller and a filter behind a transport delay, and a delayed feedback"
  parameter T (unit="s") = 0.35, T_pipe (unit="s") = 0.12
  local temperature (start=15), arrived, on (start=0), lag (start=1), echo, pulse (start=0)
  arrived = delay(temperature, T_pipe)
  der(temperature) = -0.8*temperature + 30*on + 2*sin(3*time)
  when arrived < 18 then
    new(on) = 1
  elsewhen arrived > 22 then
    new(on) = 0
  endwhen
  when sample(0, 0.25) then
    new(pulse) = 1 - pulse
  endwhen
  der(lag) = -delay(lag, T)*(1 + 0.2*lag) + 0.3*delay(pulse, 0.21)
  echo = 0.5*delay(echo, 0.17) + temperature
end
