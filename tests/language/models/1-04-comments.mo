model Comments # of this line
  { over
    lines; not { nested }
  local x { here } # and there }
  x = { in between } 2 # }
end
