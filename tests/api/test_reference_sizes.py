"""`cutset inspect --against`: sizes from files beside the model's own."""

import json
from pathlib import Path

import pytest

from cutset.api.command_line.command import main

ROOT = Path(__file__).parents[2]
DECAY = "model Decay\n  local x (start=1)\n  der(x) = -2*x\nend\n"


def columns(line: str, title: str) -> list[str]:
    assert line.strip().startswith(title), line
    return line.strip().removeprefix(title).split()


def test_sizes_stand_side_by_side(write_model, tmp_path, capsys):
    path, kept, other = str(write_model(DECAY)), tmp_path / "kept.json", tmp_path / "other.json"
    assert main(["inspect", path, "--json"]) == 0
    kept.write_text(capsys.readouterr().out)
    other.write_text(
        '{"name": "Other", "source": "a book", "states": 7, "linear_systems": [{"size": 5, "torn": 2}, {"size": 5, '
        '"torn": 2}]}'
    )
    assert main(["inspect", path, "--against", str(other), str(kept)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["Decay", "Other", "Decay", "in", "kept.json"]
    row = {
        title: next(line for line in lines if line.strip().startswith(title))
        for title in ("equations", "states", "linear systems")
    }
    assert columns(row["equations"], "equations") == ["1", "1"]
    assert columns(row["states"], "states") == ["1", "7", "1"]
    assert columns(row["linear systems"], "linear systems") == ["none", "5", "torn", "to", "2", "(2", "times)", "none"]
    assert lines[-1] == "Other: a book"
    assert main(["inspect", path, "--against", str(other), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["states"] == 1 and found["against"] == [json.loads(other.read_text())]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "one object"),
        ('[{"states": 3}, 4]', "one object"),
        ('[{"states": 3}, {"states": -1}]', "'states' must be a number"),
        ('{"state": 3}', "'state' is not a size; did you mean 'states'?"),
        ('{"qqq": 3}', "sizes are equations"),
        ('{"states": -1}', "'states' must be a number"),
        ('{"states": true}', "'states' must be a number"),
        ('{"name": 3}', "'name' must be a string"),
        ('{"linear_systems": [137, 6]}', "'linear_systems' must be a list of systems"),
        ('{"linear_systems": [{"size": 137}]}', "'linear_systems' must be a list of systems"),
        ('{"operations": {"mul": 3}}', "'operations' must have numbers of mul_div"),
    ],
)
def test_what_is_no_file_of_sizes(text, complaint, write_model, tmp_path, capsys):
    file = tmp_path / "sizes.json"
    file.write_text(text)
    assert main(["inspect", str(write_model(DECAY)), "--against", str(file)]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith(f"error: cannot read {file}: ") and complaint in printed.err and not printed.out


def test_a_file_that_is_not_there(write_model, tmp_path, capsys):
    assert main(["inspect", str(write_model(DECAY)), "--against", str(tmp_path / "nowhere.json")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_the_file_of_the_robot():
    """36 states, a system of 137 equations torn to 6."""
    from cutset.api.show.reference_sizes import read_sizes

    (published,) = read_sizes(ROOT / "models" / "r3" / "dymola.json")
    assert published.sizes["states"] == 36 and published.sizes["linear_systems"][0] == {"size": 137, "torn": 6}
    assert len(published.sizes["linear_systems"]) == 10


def test_the_sizes_of_the_paper(capsys):
    """Section 7: 727 and 493 operations for the direct problem, 269 and 190 for the inverse one; section 5: 600
    equations torn to 6."""
    path, sizes = str(ROOT / "models" / "r3mbs.mo"), str(ROOT / "models" / "paper" / "published.json")
    assert main(["inspect", path, "--against", sizes]) == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert all(f"paper, {name}" in lines[0] for name in ("direct", "inverse", "mbs.lib"))
    counted = next(line for line in lines if line.strip().startswith("operations"))
    assert "727 *,/   493 +,-" in counted and "269 *,/   190 +,-" in counted
    assert "600 torn to 6" in printed
    assert main(["inspect", path, "--against", sizes, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["against"]) == 3
