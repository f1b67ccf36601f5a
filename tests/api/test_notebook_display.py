"""What notebooks show of models, sweeps and animations, and cells that begin with ``%%cutset``."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

import cutset
from cutset.api.show.html import model_html
from cutset.runtime.description import Description

EVIL = '<script>alert("1")</script>'
MODEL = f"""model Decay
  parameter k (unit="1/s") = 2 "rate {EVIL.replace('"', "'")}"
  local x (unit="m", start=1) "way"
  der(x) = -k*x
end
"""


class Tags(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= dict(attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


class Shell:
    """As IPython's, as far as it is used."""

    def __init__(self) -> None:
        self.user_ns: dict[str, object] = {}
        cutset.load_ipython_extension(self)

    def register_magic_function(self, function, magic_kind: str, magic_name: str) -> None:
        assert (magic_kind, magic_name) == ("cell", "cutset")
        self.run = function


@pytest.fixture(scope="module")
def model() -> cutset.Model:
    return cutset.loads(MODEL)


def test_a_model_shows_parameters_and_states_and_nothing_is_a_tag(model: cutset.Model) -> None:
    shown = Tags(model._repr_html_())
    assert {"k", "2", "1/s", "x", "m", "way", "1 parameter", "1 state"} <= set(shown.texts)
    assert "script" not in shown.tags and any("<script>" in text for text in shown.texts)


def test_long_tables_are_folded_and_cut() -> None:
    many = {f"p{k}": float(k) for k in range(300)}
    shown = Tags(model_html(EVIL, many, (), Description(units={"p1": EVIL})))
    assert shown.tags.count("tr") == 201 and "and 100 more" in shown.texts and "300 parameters" in shown.texts
    assert "open" not in shown.attributes and "script" not in shown.tags
    assert "open" in Tags(model_html("", dict(list(many.items())[:5]), (), Description())).attributes


def test_a_sweep_shows_its_table(model: cutset.Model) -> None:
    sweep = model.sweep({"k": [0.0, 1.0]}, keep=["x"], stop=1.0, target="python", workers=1)
    shown = Tags(sweep._repr_html_())
    assert shown.tags.count("tr") == 3 and {"k", "x", "outcome", "0.367879", "completed"} <= set(shown.texts)


def test_plots_are_pictures(model: cutset.Model) -> None:
    run = model.simulate(1.0, points=3, target="python")
    sweep = model.sweep({"k": [0.0, 1.0]}, keep=["x"], stop=1.0, target="python", workers=1)
    for figure in (run.plot("x"), sweep.plot()):
        assert figure._repr_png_().startswith(b"\x89PNG")


def test_a_cell_defines_models_under_their_names() -> None:
    shell = Shell()
    last = shell.run("", MODEL + MODEL.replace("Decay", "Other"))
    assert sorted(shell.user_ns) == ["Decay", "Other"] and last is shell.user_ns["Other"]


def test_options_of_a_cell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "parts.mo").write_text("model class Part\n  terminal y\n  y = time\nend\n")
    text = "@parts\nmodel M\n  submodel (Part) p\nend\n"
    shell = Shell()
    assert shell.run("", text) is None and "error[E201]" in capsys.readouterr().err and not shell.user_ns
    assert shell.run(f"-I '{tmp_path}'", text).name == "M"
    for wrong in ("--nothing", "-I", "'", "-I /nowhere/at/all"):
        assert shell.run(wrong, text) is None and "usage: %%cutset" in capsys.readouterr().err


def test_messages_of_a_cell_are_those_of_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    shell = Shell()
    assert shell.run("", MODEL.replace("-k*x", "-k*y")) is None
    error = capsys.readouterr().err
    assert "error[E211]: unknown name 'y'\n  --> <text>:4:15" in error and not shell.user_ns
    assert shell.run("", "model class Part\nend\n") is None and "error[" in capsys.readouterr().err


def test_messages_of_a_notebook_have_colors(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell()
    shell.kernel = object()
    for variable in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(variable, raising=False)
    shell.run("", MODEL.replace("-k*x", "-k*y"))
    colored = capsys.readouterr().err
    assert "\x1b[" in colored and "error[E211]" in colored.replace("\x1b[1;31m", "")
    monkeypatch.setenv("NO_COLOR", "1")
    shell.run("", MODEL.replace("-k*x", "-k*y"))
    assert "\x1b[" not in capsys.readouterr().err


def test_an_animation_is_shown_in_a_frame_without_access_to_the_notebook() -> None:
    text = "@mbssim\nmodel P\n  submodel (Inertial) i(ng3=-1)\n  submodel (Revolute) r(n2=1, q0=1)\n"
    text += "  submodel (Body) b(m=1, r3=-1)\n  connect i to r to b\nend\n"
    run = cutset.loads(text).simulate(0.1, points=3, target="python")
    shown = run.animate()
    frame = Tags(shown._repr_html_())
    assert frame.tags == ["iframe"] and frame.attributes["sandbox"] == "allow-scripts"
    assert frame.attributes["srcdoc"] == shown.page and "<canvas" in shown.page
    assert repr(shown).startswith("<animation, ")
