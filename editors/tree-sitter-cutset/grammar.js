// The grammar of Cutset for tree-sitter, after compiler/syntax/grammar.lark. `make tree-sitter` makes src/parser.c from it.
//
// A statement ends with its line, unless it goes on in the next one; src/scanner.c decides, and reads numbers.

/** Items with commas between them. */
const list = (item) => seq(item, repeat(seq(",", item)));
const block = ($, end) => seq(repeat($._statement), end, $._end);

module.exports = grammar({
  name: "cutset",
  externals: ($) => [$._line_end, $.number, $.quoted, $.last],
  extras: ($) => [/[\s\u000b\u000c]/, $.comment],
  word: ($) => $.name,
  conflicts: ($) => [[$.kind, $.moment], [$.cut_entry, $.part], [$.bracket, $.part]],

  rules: {
    source_file: ($) => repeat(choice($.include, $.model, $.function, $.external_function, $.type, $.cut_class)),

    _end: ($) => choice($._line_end, ";"),
    name: () => /[A-Za-z_][A-Za-z0-9_]*/,
    // The scanner reads a quoted name only where a name can stand; elsewhere the quote transposes.
    _name: ($) => choice($.name, alias($.quoted, $.name)),
    string: () => /"[^"\n\r]*"/,
    comment: () => token(choice(/\{[^}]*\}/, /#[^\n\r]*/)),
    _doc: ($) => field("documentation", $.string),

    // --- files ---------------------------------------------------------------------------------
    include: ($) => seq("@", choice($.string, $.library), optional(seq($._name, field("prefix", $._name))), $._end),
    library: ($) => prec.right(seq($._name, repeat(seq(".", $._name)))),
    model: ($) => seq(
      "model", optional(choice("class", "type")), optional($.supers), field("name", $._name), optional($.class_parameters),
      optional($._doc), $._end, repeat($._member), "end", optional($._end),
    ),
    supers: ($) => seq("(", list($.class_name), ")"),
    class_parameters: ($) => seq("(", list($.class_parameter), ")"),
    class_parameter: ($) => seq("class", optional($.supers), field("name", $._name), optional(seq("=", $.class_name))),
    class_name: ($) => seq($._name, repeat(seq(".", $._name))),
    function: ($) => seq(
      "function", field("name", $._name), $.arguments, $.result, optional($._doc), $._end,
      repeat(choice($.variables, $._statement)), "end", optional($._end),
    ),
    external_function: ($) => seq(
      "external", choice("function", field("language", $._name)), field("name", $._name), $.arguments, optional($.result),
      $.string, $._end,
    ),
    arguments: ($) => seq("(", optional(list($.argument)), ")"),
    result: ($) => seq($._name, list($.argument)),
    argument: ($) => seq(optional($.of_type), field("name", $._name), optional($.bracket), optional($.bracket)),
    type: ($) => seq(
      "type",
      choice(
        seq(optional($.of_type), field("name", $._name), optional($.bracket)),
        seq(field("name", $._name), "=", $.literals),
      ),
      optional($._doc), $._end,
    ),
    literals: ($) => seq("(", list($._name), ")"),
    cut_class: ($) => seq("cut", "class", field("name", $._name), $.elementary, optional($._doc), $._end),

    // --- declarations --------------------------------------------------------------------------
    _member: ($) => choice(
      $.variables, $.submodels, $.cuts, $.path, $.nodes, $.experiment, $._statement,
    ),
    variables: ($) => seq(field("kind", $.kind), optional($.of_type), list($.variable), $._end),
    kind: () => choice(
      "parameter", "constant", "local", "terminal", "input", "output", "default", "internal", "external",
    ),
    of_type: ($) => seq("(", choice($.class_name, seq($._name, $.string)), ")"),
    variable: ($) => seq(
      field("name", $._name), optional($.bracket), optional($.bracket),
      optional(seq("=", field("value", $._expression), optional($.tolerance))), optional($._doc),
    ),
    bracket: ($) => seq("(", list(choice($.named, $._expression, $.everything)), ")"),
    named: ($) => seq(
      field("name", $._name), repeat(seq(".", field("name", $._name))), "=", field("value", $._expression),
      optional($.tolerance),
    ),
    tolerance: ($) => seq("+-", $.number),
    submodels: ($) => seq("submodel", $.of_type, list($.submodel), $._end),
    submodel: ($) => seq(
      field("name", $._name), optional($.bracket), optional($.bracket), optional(seq("if", $._expression)),
      optional($._doc),
    ),
    cuts: ($) => seq(optional("main"), "cut", optional($.cut_kind), list($.cut), $._end),
    cut_kind: ($) => seq("(", optional($._name), $.class_name, ")"),
    cut: ($) => seq(
      field("name", $._name),
      optional(choice($.elementary, $.hierarchical, seq($.length, optional(choice($.elementary, $.unlisted))))),
      optional($._doc),
    ),
    length: ($) => seq("(", $._expression, ")"),
    unlisted: () => seq("(", ")"),
    // A name alone is a variable, not the length of an array.
    elementary: ($) => prec.dynamic(1, seq(
      "(",
      choice($._cut_entries, seq($._cut_entries, "/", optional($._cut_entries)), seq("/", $._cut_entries)),
      ")",
    )),
    _cut_entries: ($) => list(choice($.cut_entry, ".")),
    // Before a name stands only 'carried', which is a name elsewhere.
    cut_entry: ($) => seq(
      optional("-"), optional(field("kind", $._name)), field("name", $._name), optional($.bracket), optional($.bracket),
    ),
    hierarchical: ($) => seq("[", $.point, repeat(seq(optional(","), $.point)), "]"),
    path: ($) => seq(
      optional("main"), "path", field("name", $._name), "<", $.point, repeat1(seq("-", $.point)), ">", $._end,
    ),
    nodes: ($) => seq("node", list(seq($._name, optional($.bracket))), $._end),
    experiment: ($) => seq("experiment", "(", list($.named), ")", $._end),

    // --- connections and equations -------------------------------------------------------------
    _statement: ($) => choice(
      $.connect, $.equation, $.assignment, $.assertion, $.for_block, $.while_block, $.if_block, $.when_block,
      $.initial_block,
    ),
    connect: ($) => seq("connect", list(seq($._connection, repeat($.for_index))), $._end),
    _connection: ($) => choice($._link, $.placement),
    placement: ($) => seq($._link, "at", choice($.point, seq("(", list($.point), ")"))),
    _link: ($) => choice($.loop, $.chain, $.parallel, $.reversed, $.point, seq("(", $._link, ")")),
    loop: ($) => prec.left(1, seq($._link, "loop", $._link)),
    chain: ($) => prec.left(2, seq($._link, "to", $._link)),
    parallel: ($) => prec.left(3, seq($._link, "par", $._link)),
    reversed: ($) => prec(4, seq("reversed", $._link)),
    point: ($) => seq($.part, repeat(seq(":", $.part))),

    results: ($) => seq("(", $._expression, repeat1(seq(",", $._expression)), ")"),
    equation: ($) => seq(choice($.results, $._expression, seq("closed", choice($.reference, $.matrix))), "=", $._expression, $._end),
    assignment: ($) => seq(choice($.reference, $.results), ":=", $._expression, $._end),
    assertion: ($) => seq(choice("assert", "terminate"), $._expression, ",", $.string, $._end),

    for_block: ($) => seq($.for_index, "do", $._end, block($, "endfor")),
    for_index: ($) => seq("for", field("name", $._name), "=", $.range),
    while_block: ($) => seq("while", $._expression, "do", $._end, block($, "endwhile")),
    if_block: ($) => seq(
      "if", $._expression, "then", $._end, repeat($._statement), repeat($.elseif_branch), optional($.else_branch),
      "endif", $._end,
    ),
    elseif_branch: ($) => seq("elseif", $._expression, "then", $._end, repeat($._statement)),
    else_branch: ($) => seq("else", $._end, repeat($._statement)),
    when_block: ($) => seq(
      "when", $._expression, "then", $._end, repeat($._statement), repeat($.elsewhen_branch), "endwhen", $._end,
    ),
    elsewhen_branch: ($) => seq("elsewhen", $._expression, "then", $._end, repeat($._statement)),
    initial_block: ($) => seq("initial", $._end, block($, "endinitial")),

    // --- expressions, from the loosest operator to the tightest --------------------------------
    _expression: ($) => choice(
      $.conditional, $.binary, $.unary, $.transposed, $.reference, $.moment, $.number, $.string, $.matrix, $.last,
      seq("(", $._expression, ")"),
    ),
    conditional: ($) => prec.right(seq(
      "if", $._expression, "then", $._expression,
      repeat(seq("elseif", $._expression, "then", $._expression)), "else", $._expression,
    )),
    moment: () => seq(choice("initial", "terminal"), "(", ")"),
    binary: ($) => choice(
      prec.left(1, seq($._expression, "or", $._expression)),
      prec.left(2, seq($._expression, "and", $._expression)),
      prec.left(4, seq($._expression, choice("<", "<=", ">", ">=", "==", "<>"), $._expression)),
      prec.left(5, seq($._expression, choice("+", "-"), $._expression)),
      prec.left(6, seq($._expression, choice("*", "/", ".*", "./"), $._expression)),
      prec.right(8, seq($._expression, choice("^", "**", ".^"), $._expression)),
    ),
    unary: ($) => choice(prec(3, seq("not", $._expression)), prec(7, seq(choice("-", "+"), $._expression))),
    transposed: ($) => prec(9, seq($._expression, "'")),
    reference: ($) => prec.right(seq($.part, repeat(seq(".", $.part)))),
    part: ($) => prec.right(seq(
      // A name like any other, unless a name or a matrix follows it at the start of a statement.
      field("name", choice($._name, alias("closed", $.name))),
      optional(seq("(", optional(list(choice($._expression, $.range, $.everything))), ")")),
    )),
    range: ($) => seq($._expression, "..", $._expression, optional(seq("..", $._expression))),
    everything: () => ":",
    matrix: ($) => seq(
      "[", choice(seq(list($._expression), repeat(seq(";", list($._expression)))), seq($._expression, repeat1($.for_index))),
      "]", optional(choice($.reference, "%")),
    ),
  },
});
