"""``cutset completion``: the script of each shell is valid and completes, where that shell is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cutset.api.command_line.command import COMMANDS, main
from cutset.api.commands.completion import SHELLS

BASH = 'source {file}; COMP_WORDS=({words} "{last}"); COMP_CWORD={number}; _cutset; echo "${{COMPREPLY[@]}}"'


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("scripts")
    found = {}
    for shell in SHELLS:
        with pytest.MonkeyPatch.context() as patch:
            written: list[str] = []
            patch.setattr("builtins.print", lambda text, end="\n", put=written.append: put(text))
            assert main(["completion", shell]) == 0
        found[shell] = folder / shell
        found[shell].write_text(written[0])
    return found


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_has_all_commands_and_is_valid(shell: str, scripts: dict[str, Path]) -> None:
    text = scripts[shell].read_text()
    assert all(name in text for name in COMMANDS) and "--rtol" in text.replace("-l rtol", "--rtol")
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(scripts[shell])], check=True)


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "last", "found"),
    [
        ("cutset", "ver", "verify"),
        ("cutset simulate", "--rt", "--rtol"),
        ("cutset simulate --target", "p", "python"),
        ("cutset simulate --method", "rk", "rk4"),
        ("cutset new --kind", "", "circuit mechanism controller"),
        ("cutset completion", "z", "zsh"),
        ("cutset simulate", "model", ""),
    ],
)
def test_bash_completes(words: str, last: str, found: str, scripts: dict[str, Path]) -> None:
    command = BASH.format(file=scripts["bash"], words=words, last=last, number=len(words.split()))
    done = subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == found
