"""Events of one relation in a row: as many as the limit are allowed, one more is without end."""

from types import SimpleNamespace

import pytest

from cutset.runtime.chatter import Chatter

INFO = SimpleNamespace(relations=[SimpleNamespace(text="x > 0", place="m.mo:1", instance="")], crossings=(0,))


@pytest.mark.parametrize(("most", "share", "sign"), [(20, 1e-9, 1), (3, 1e-11, 1), (5, 1e-3, 2)])
def test_one_event_more_than_the_limit_is_without_end(most, share, sign):
    span = 10.0
    chatter, gap = Chatter(INFO, span), 0.9 * share * span
    for begin in (0.0, 5.0):  # a pause ends the row
        found = [chatter.note(begin + k * gap, {0: sign}) for k in range(most + (begin == 5.0))]
        assert not any(found[:most])
    failure = found[most][0]
    assert failure.what.startswith(f"the relation x > 0 crossed {most + 1} times within")


def test_events_that_leave_the_crossing_may_come_often():
    chatter = Chatter(INFO, 1.0)
    assert not any(chatter.note(1e-3 * k, {0: 1}) for k in range(100))


@pytest.mark.parametrize(("rows", "share"), [(1, 1e-11), (2, 1e-6)])
def test_an_excused_error_is_kept_for_a_while(rows, share):
    chatter, span, last = Chatter(INFO, 1.0), 1.0, 0.0
    for row in range(rows):  # each ends with one event more than the limit of three
        for k in range(4):
            last = 1e-7 * row + 1e-12 * k
            chatter.note(last, {0: 1})
    assert chatter.excused(last + 0.9 * share * span) is not None
    assert chatter.excused(last + 1.1 * share * span) is None
