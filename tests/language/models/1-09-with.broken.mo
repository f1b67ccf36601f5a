@"parts/pair" with transational
@"parts/pair" in translational
model Both
end
