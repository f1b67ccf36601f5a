// The words of the language; editors/make_grammars.py writes this file.
export const DECLARING = ["class", "constant", "cut", "default", "end", "experiment", "external", "function", "input", "internal", "local", "main", "model", "node", "output", "parameter", "path", "submodel", "terminal", "type"];
export const CONTROL = ["assert", "do", "else", "elseif", "elsewhen", "endfor", "endif", "endinitial", "endwhen", "endwhile", "for", "if", "initial", "terminate", "then", "when", "while"];
export const CONNECTING = ["at", "connect", "loop", "par", "reversed", "to"];
export const OPERATORS = ["and", "not", "or"];
export const FUNCTIONS = ["abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "count", "cross", "delay", "der", "diagonal", "edge", "erf", "exp", "floor", "identity", "init", "interp1", "interp2", "log", "log10", "max", "min", "mod", "new", "noevent", "norm", "number", "ones", "random_normal", "random_stream", "random_uniform", "sample", "sign", "sin", "sinh", "size", "skew", "smooth", "sqrt", "sum", "table", "tan", "tanh", "transpose", "vec", "zeros"];
export const CONSTANTS = ["false", "time", "true"];
