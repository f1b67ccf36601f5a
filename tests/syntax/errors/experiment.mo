model A
  experiment stop=3
end

model B
  experiment (3)
end

model C
  experiment
  local x
end

model D
  local experiment
  annotation(experiment(StopTime=3))
end

model E
  when time > 1 then
    experiment (stop=2)
  endwhen
end

function f(x) result y
  experiment (stop=2)
  y := x
end
