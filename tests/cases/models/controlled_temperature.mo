{ A resistor heats a body; a switch that a two-point controller opens and closes keeps its temperature along a ramp. }

@thermal
@electrical
@"electrical/heating"

model class OnOffController "on from reference - band/2 down, off from reference + band/2 up"
  parameter band (unit="K") = 2
  terminal reference (unit="K"), T (unit="K")
  terminal on (start=true)
  new(on) = T < reference + band/2 and (on or T < reference - band/2)
end

model ControlledTemperature
  parameter TAmb (unit="K") = 293.15
  submodel (HeatCapacitor) heatCapacitor(C=1, T0=TAmb)
  submodel (ThermalConductor) thermalConductor(G=0.1)
  submodel (FixedTemperature) ambient(T0=TAmb)
  submodel (HeatingResistor) heatingResistor(R=10, Tref=293.15, alpha=1/255)
  submodel (TemperatureSensor) sensor
  submodel (VConst) V(V=10)
  submodel (ClosingSwitch) switch
  submodel (OnOffController) onOffController
  submodel (Ground) g
  connect V:A to heatingResistor to switch to V:B, g at V:B,
          heatingResistor:port at heatCapacitor, heatCapacitor to thermalConductor to ambient,
          sensor at heatCapacitor:A
  onOffController.T = sensor.T
  onOffController.reference = 298.15 + (if time < 2 then 0 elseif time < 8 then 25*(time - 2)/6 else 25)
  switch.closed = onOffController.on
end
