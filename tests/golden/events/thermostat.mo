model Thermostat "a heater that goes on below 19 and off above 21"
  parameter low (unit="K") = 292, high (unit="K") = 294, outside (unit="K") = 275, C = 1000, G = 20, P = 500
  local T (unit="K", start=293), heating (start=true)
  C*der(T) = (if heating then P else 0) - G*(T - outside)
  when T < low then
    new(heating) = true
  elsewhen T > high then
    new(heating) = false
  endwhen
end
