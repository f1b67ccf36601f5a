// Reads what needs to look ahead: the end of a statement at the end of a line, numbers with their units, quoted names,
// and the last index.
//
// The rules are those of compiler/syntax/statements.py and lines.py. The parser asks for an end only where a statement
// can end, so that a line that stops after an operator or inside parentheses goes on by itself.
#include "tree_sitter/parser.h"

#include <stdbool.h>
#include <string.h>

enum Token { LINE_END, NUMBER, QUOTED, LAST };
enum { WORD = 12 };  // more than the longest keyword

void *tree_sitter_cutset_external_scanner_create(void) { return NULL; }
void tree_sitter_cutset_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_cutset_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload, (void)buffer;
  return 0;
}
void tree_sitter_cutset_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload, (void)buffer, (void)length;
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_line_end(int32_t c) { return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029; }
static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == 0xa0; }

static bool is_in(int32_t c, const char *set) { return c > 0 && c < 128 && strchr(set, (char)c) != NULL; }

static void next(TSLexer *lexer) { lexer->advance(lexer, false); }

static void digits(TSLexer *lexer) {
  while (is_digit(lexer->lookahead)) next(lexer);
}

// A comment that starts here, if there is one.
static bool comment(TSLexer *lexer) {
  if (lexer->lookahead == '#') {
    while (!lexer->eof(lexer) && !is_line_end(lexer->lookahead)) next(lexer);
    return true;
  }
  if (lexer->lookahead != '{') return false;
  while (!lexer->eof(lexer) && lexer->lookahead != '}') next(lexer);
  if (!lexer->eof(lexer)) next(lexer);
  return true;
}

// Reads a name or a keyword; long ones are cut.
static void word(TSLexer *lexer, char text[WORD]) {
  unsigned length = 0;
  while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead)) {
    if (length < WORD - 1) text[length++] = (char)lexer->lookahead;
    next(lexer);
  }
  text[length] = 0;
}

static bool is_one_of(const char *text, const char *const *words) {
  for (; *words; words++)
    if (strcmp(text, *words) == 0) return true;
  return false;
}

// The keywords that follow a number: any other word after a number and a space is a unit.
static const char *const AFTER_NUMBERS[] = {"to", "at", "par", "loop", "and", "or", "then", "do", "if", "else", "elseif",
                                            "for", NULL};

static bool is_of_unit(int32_t c) { return is_letter(c) || is_digit(c) || c == '%' || c == 0xb0 || c == 0xb5 || c == 0x3a9 || c == 0x3bc; }

// The unit after a number and a space, without spaces in it: `36 km/h`, `3 J/(kg.K)`. `3 N / h` is a division.
static void unit(TSLexer *lexer) {
  if (lexer->lookahead != ' ' && lexer->lookahead != '\t') return;
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t') next(lexer);
  if (lexer->lookahead == '1') {
    next(lexer);
    if (lexer->lookahead != '/') return;
    next(lexer);
  }
  if (is_digit(lexer->lookahead) || !is_of_unit(lexer->lookahead)) return;
  char text[WORD];
  word(lexer, text);
  if (is_one_of(text, AFTER_NUMBERS)) return;
  while (is_of_unit(lexer->lookahead)) next(lexer);
  lexer->mark_end(lexer);
  for (bool in_group = false;;) {
    int32_t mark = lexer->lookahead;
    if (mark != '.' && mark != '/' && mark != '^' && !(mark == ')' && in_group)) return;
    next(lexer);
    if (mark == '/' && lexer->lookahead == '(') in_group = true, next(lexer);
    if (mark == '^' && (lexer->lookahead == '-' || lexer->lookahead == '+')) next(lexer);
    if (mark == ')') in_group = false;
    else if (!is_of_unit(lexer->lookahead) || (mark != '^' && is_digit(lexer->lookahead))) return;
    while (is_of_unit(lexer->lookahead)) next(lexer);
    if (!in_group) lexer->mark_end(lexer);
  }
}

// No number includes a point that is followed by another one: `1..3` is a range.
static bool number(TSLexer *lexer) {
  bool has_digits = is_digit(lexer->lookahead);
  digits(lexer);
  lexer->mark_end(lexer);
  if (lexer->lookahead == '.') {
    next(lexer);
    if (lexer->lookahead == '.' || (!has_digits && !is_digit(lexer->lookahead))) {
      lexer->result_symbol = NUMBER;
      return has_digits;
    }
    digits(lexer);
    lexer->mark_end(lexer);
  }
  if (lexer->lookahead == 'e' || lexer->lookahead == 'E') {
    next(lexer);
    if (lexer->lookahead == '+' || lexer->lookahead == '-') next(lexer);
    if (is_digit(lexer->lookahead)) {
      digits(lexer);
      lexer->mark_end(lexer);
    }
  }
  lexer->result_symbol = NUMBER;
  unit(lexer);
  return true;
}

static bool quoted(TSLexer *lexer) {
  do next(lexer);
  while (!lexer->eof(lexer) && !is_line_end(lexer->lookahead) && !is_in(lexer->lookahead, "'\"\\"));
  if (lexer->lookahead != '\'') return false;
  next(lexer);
  lexer->mark_end(lexer);
  lexer->result_symbol = QUOTED;
  return true;
}

// The `end` of an index: behind that of a model comes none of these marks.
static bool last(TSLexer *lexer) {
  char text[WORD];
  word(lexer, text);
  if (strcmp(text, "end") != 0) return false;
  lexer->mark_end(lexer);
  while (is_blank(lexer->lookahead)) next(lexer);
  lexer->result_symbol = LAST;
  if (is_in(lexer->lookahead, "-+*/^),")) return true;
  if (lexer->lookahead != '.') return false;
  next(lexer);
  return lexer->lookahead == '.';
}

// Skips spaces, comments and ends of lines; true if there was an end of a line.
static bool blanks(TSLexer *lexer) {
  bool has_ended = false;
  for (;;) {
    if (is_line_end(lexer->lookahead)) has_ended = true;
    else if (!is_blank(lexer->lookahead)) {
      if (!comment(lexer)) return has_ended;
      continue;
    }
    next(lexer);
  }
}

// What a statement does not start with, and after which it goes on in the next line.
static const char LEADING_MARKS[] = ",=*/^.:<>", OPEN_ENDS[] = ",=*/^.:<>+-";
static const char *const LEADING_WORDS[] = {"to", "at", "par", "loop", "and", "or", "then", "do", NULL};
static const char *const OPEN_WORDS[] = {"to", "at", "par", "loop", "and", "or", "then", "not", "if", "elseif", "else",
                                         "reversed", "for", NULL};

// Looks through the statement that starts here, outside of its parentheses: for the `=` of an equation, which comes
// before any comma, or for a keyword. `depth` parentheses are open.
static bool has(TSLexer *lexer, const char *sought, int depth) {
  bool is_open = false, is_operand = false;
  while (!lexer->eof(lexer)) {
    if (blanks(lexer) && depth <= 0 && !is_open && !is_in(lexer->lookahead, LEADING_MARKS)) {
      char text[WORD];
      word(lexer, text);
      if (!is_one_of(text, LEADING_WORDS)) return false;
      if (sought && strcmp(text, sought) == 0) return true;
    }
    int32_t c = lexer->lookahead;
    if (is_letter(c)) {
      char text[WORD];
      word(lexer, text);
      if (depth <= 0 && sought && strcmp(text, sought) == 0) return true;
      is_open = is_one_of(text, OPEN_WORDS);
      is_operand = true;
      continue;
    }
    is_open = is_in(c, OPEN_ENDS);
    next(lexer);
    // Behind an operand a quote transposes.
    bool is_quoted = c == '"' || (c == '\'' && !is_operand);
    is_operand = is_quoted || is_digit(c) || is_in(c, ")]'");
    if (is_quoted) {
      while (!lexer->eof(lexer) && !is_line_end(lexer->lookahead) && lexer->lookahead != c) next(lexer);
      next(lexer);
    } else if (c == '(' || c == '[') {
      depth++;
    } else if (c == ')' || c == ']') {
      depth--;
    } else if (depth <= 0 && c == ';') {
      return false;
    } else if (depth <= 0 && !sought && c == ',') {
      return false;
    } else if (c == '<' || c == '>' || c == '=') {
      bool is_relation = c != '=' || lexer->lookahead == '=';
      if (depth <= 0 && !sought && !is_relation) return true;
      if (lexer->lookahead == '=' || lexer->lookahead == '>') next(lexer);
    }
  }
  return false;
}

// True for the parentheses of attributes, `(unit="m")`, which may be followed by the `=` of a value.
static bool attributes(TSLexer *lexer) {
  next(lexer);
  blanks(lexer);
  char text[WORD];
  word(lexer, text);
  blanks(lexer);
  if (!*text || lexer->lookahead != '=') return false;
  next(lexer);
  return lexer->lookahead != '=';
}

// True if no statement starts with what follows.
static bool goes_on(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  if (c == '+' || c == '-' || c == '[') return !has(lexer, NULL, 0);
  if (c == '(') return attributes(lexer) || !has(lexer, NULL, 1);
  if (c == '"' || is_in(c, LEADING_MARKS)) return true;
  char text[WORD];
  word(lexer, text);
  if (strcmp(text, "if") == 0) return !has(lexer, "then", 0);
  if (strcmp(text, "for") == 0) return !has(lexer, "do", 0);
  if (strcmp(text, "result") == 0) {
    while (is_blank(lexer->lookahead)) next(lexer);
    return is_letter(lexer->lookahead);
  }
  return is_one_of(text, LEADING_WORDS);
}

bool tree_sitter_cutset_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  lexer->mark_end(lexer);  // an end has no text
  if (valid[LINE_END]) {
    bool has_ended = blanks(lexer);
    lexer->result_symbol = LINE_END;
    return lexer->eof(lexer) || (has_ended && !goes_on(lexer));
  }
  if (!valid[NUMBER] && !valid[QUOTED] && !valid[LAST]) return false;
  while (is_blank(lexer->lookahead) || is_line_end(lexer->lookahead)) lexer->advance(lexer, true);
  if (valid[QUOTED] && lexer->lookahead == '\'') return quoted(lexer);
  if (valid[LAST] && lexer->lookahead == 'e') return last(lexer);
  return valid[NUMBER] && (is_digit(lexer->lookahead) || lexer->lookahead == '.') && number(lexer);
}
