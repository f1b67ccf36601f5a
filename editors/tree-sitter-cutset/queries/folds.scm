[
  (model) (function) (for_block) (while_block) (if_block) (when_block) (initial_block)
] @fold
