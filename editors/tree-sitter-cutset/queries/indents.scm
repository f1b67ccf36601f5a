; Helix
[
  (model) (function) (for_block) (while_block) (if_block) (when_block) (initial_block)
] @indent
["end" "endfor" "endwhile" "endif" "endwhen" "endinitial" "elseif" "elsewhen" "else"] @outdent
