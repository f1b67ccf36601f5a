"""Which guesses the equations of the start determine: the nearest."""

from cutset.compiler.structure.starts import claimed

# Two lines 0-1-2-3 and 4-5-6-7, joined at 3 and 7.
LINES = [[0, 1], [1, 2], [2, 3], [4, 5], [5, 6], [6, 7], [3, 7]]


def test_the_nearest_is_claimed_whichever_comes_first():
    assert claimed(LINES, [[1]], [4, 0], 8) == (0,)
    assert claimed(LINES, [[6]], [0, 4], 8) == (4,)


def test_a_tie_goes_to_the_first():
    assert claimed(LINES, [[1, 5]], [4, 0], 8) == (4,)
    assert claimed(LINES, [[0, 4]], [0, 4], 8) == (0,)


def test_what_is_taken_already_is_passed_by():
    assert claimed(LINES, [[1], [2]], [0, 4], 8) == (0, 4)
    # The one with the shorter way takes it, and the other goes on.
    assert claimed(LINES, [[2], [1]], [0, 4], 8) == (0, 4)
    assert set(claimed(LINES, [[1], [1], [1]], [0, 4], 8)) == {0, 4}


def test_what_cannot_be_reached_is_not_claimed():
    assert claimed(LINES[:-1], [[1]], [4], 8) == ()
    assert claimed(LINES, [], [4], 8) == claimed(LINES, [[1]], [], 8) == ()
