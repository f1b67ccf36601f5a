; Colors. A later pattern replaces an earlier one in Neovim; Helix takes the first, so that no node has two here.

(comment) @comment
(string) @string
(number) @number

[
  "model" "class" "type" "end" "function" "submodel" "main" "cut" "path" "node" "experiment"
] @keyword

(kind) @keyword.storage
(external_function "external" @keyword)

["connect" "to" "at" "par" "loop" "reversed"] @keyword

[
  "for" "do" "endfor" "while" "endwhile" "if" "then" "elseif" "else" "endif" "when" "elsewhen" "endwhen"
  "initial" "endinitial" "closed" "assert" "terminate"
] @keyword.control

["and" "or" "not"] @keyword.operator

"@" @keyword.control.import
(library (name) @namespace)
(include prefix: (name) @namespace)

(model name: (name) @type)
(type name: (name) @type)
(cut_class name: (name) @type)
(class_parameter name: (name) @type)
(class_name (name) @type)
(function name: (name) @function)
(external_function name: (name) @function)

(variable name: (name) @variable)
(argument name: (name) @variable.parameter)
(submodel name: (name) @variable)
(cut name: (name) @variable)
(path name: (name) @variable)
(nodes (name) @variable)
(cut_entry kind: (name) @keyword.storage)
(cut_entry name: (name) @variable)
(for_index name: (name) @variable)
(literals (name) @constant)
(named name: (name) @attribute)

; Built-in functions; the names of others are those of variables, too.
(part
  name: (name) @function.builtin
  (#any-of? @function.builtin
    "abs" "acos" "asin" "atan" "atan2" "carried" "ceil" "change" "cos" "cosh" "count" "cross" "delay" "der"
    "diagonal" "edge" "erf" "exp" "floor" "identity" "inflow" "init" "initial" "interp1" "interp2" "jacobian"
    "log" "log10" "max" "min" "mod" "new" "noevent" "norm" "number" "ones" "random_normal" "random_stream"
    "random_uniform" "sample" "sign" "sin" "sinh" "size" "skew" "small_signal" "smooth" "sqrt" "sum" "table"
    "tan" "tanh" "terminal" "transpose" "vec" "white_noise" "zeros"))

[
  "=" ":=" "+-" "==" "<>" "<" "<=" ">" ">=" "+" "-" "*" "/" "^" "**" "'" ".."
] @operator

["(" ")" "[" "]"] @punctuation.bracket
["," ";" "." ":"] @punctuation.delimiter
