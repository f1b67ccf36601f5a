"""Parts of names: as those of strings, but marks inside quotes are none."""

import pytest

from cutset.contract import names


@pytest.mark.parametrize("text", ["", "a", "a.b", "a.b.c(1,2)", ".a", "a:b:c"])
@pytest.mark.parametrize("mark", [".", "(", ":"])
def test_without_quotes_as_strings(text, mark):
    assert names.rpartition(text, mark) == text.rpartition(mark)
    assert names.partition(text, mark) == text.partition(mark)
    assert names.split(text, mark) == text.split(mark)


def test_marks_inside_quotes_are_none():
    assert names.rpartition("a.'b.c'") == ("a", ".", "'b.c'") and names.rpartition("'b.c'") == ("", "", "'b.c'")
    assert names.split("'1.2'.x.'3.4'.'5'") == ["'1.2'", "x", "'3.4'", "'5'"]
    assert names.partition("'a=b'.R=3=4", "=") == ("'a=b'.R", "=", "3=4")
    assert names.partition("'a=b'", "=") == ("'a=b'", "", "")
    assert names.is_made("a.$b") and not names.is_made("a.'$b'") and names.is_made("'$b'.$c")
