"""The look of a message."""

from cutset.compiler.diagnostics import Diagnostic, Label, Source, Span, nearest, render


def test_a_message_shows_its_place_and_all_it_knows():
    source = Source("rc.mo", "model RC\n\tR1 = wrong\nend\n")
    span = Span(source, 2, 7, 2, 12)
    diagnostic = Diagnostic(
        "E999", "no good", span, "mend it", "a.b", (Label(Span(source, 1, 7, 1, 9), "made here"),), ("it was late",)
    )
    assert render(diagnostic) == (
        "error[E999]: no good\n"
        "  --> rc.mo:2:7\n"
        "   |\n"
        " 2 | \tR1 = wrong\n"
        "   | \t     ^^^^^\n"
        "  ::: rc.mo:1:7\n"
        "   |\n"
        " 1 | model RC\n"
        "   |       -- made here\n"
        "  = in:   a.b\n"
        "  = note: it was late\n"
        "  = help: mend it"
    )


def test_a_long_line_is_shown_around_its_span():
    line = "x = " + " + ".join(f"a{k}" for k in range(1000))
    source = Source("long.mo", line)
    column = line.index("a500") + 1
    shown = render(Diagnostic("E999", "no", Span(source, 1, column, 1, column + 4))).splitlines()
    assert all(len(s) < 150 for s in shown)
    at = shown[4].index("^")
    assert shown[3][at : at + 4] == "a500" and shown[4].count("^") == 4
    whole = render(Diagnostic("E999", "no", Span(source, 1, 1, 1, len(line)))).splitlines()
    assert all(len(s) < 150 for s in whole)


def test_names_are_found_in_other_case_and_with_a_slip():
    assert nearest("rl1", ["rL1", "rL2"]) == "rL1"
    assert nearest("Resistr", ["Resistor", "Capacitor"]) == "Resistor"
    assert nearest("xyz", ["Resistor"]) == ""
