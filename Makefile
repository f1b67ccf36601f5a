# make demo    simulate a robot arm of six joints, write out/r3.csv and out/r3.png
# make test    run every test
# make fast    run tests that execute what you changed since main, in less than a minute
# make record  run every test and note for make fast which lines each executes; a third slower than make test
# make check   check layout, style, types (ruff, mypy --strict, pyright) and grammars for editors, in some 80 seconds
# make style   the same without pyright, which takes most of that time
# make verify  compute every model of models/ in all independent ways and compare them, in some ten minutes
# make vscode  build the extension for VS Code, editors/vscode/cutset.vsix; needs node
# make grammars  make the grammars for editors from the tables of keywords and functions
# make tree-sitter  make the parser in editors/tree-sitter-cutset from its grammar.js; needs node and tree-sitter 0.22
# make docs    build the documentation, out/docs/index.html
# make workbench  bundle workbench/ into runtime/bundle, and check its types; needs node and npm

.PHONY: demo test fast record check style verify vscode grammars tree-sitter docs workbench environment

demo: environment
	@mkdir -p out
	@.venv/bin/cutset simulate models/r3_arm.mo --stop 2 --outputs 'r*.q' 'r*.qd' \
	    -o out/r3.csv --plot r1.q,r2.q,r3.q,r4.q,r5.q,r6.q --save out/r3.png
	@echo 'next: . .venv/bin/activate, then cutset open models/r3/r3.mo, or cutset new NAME for a model of your own'

# Each process runs tests that stand together, which share models; processes that tests start load bytecode.
test: environment
	@echo 'every test, in two processes: some 7 minutes on two quiet cores; failures are listed at the end'
	@PYTHONDONTWRITEBYTECODE= .venv/bin/python -m pytest -n 2 --dist worksteal

fast: environment
	@.venv/bin/python tests/changed.py

record: environment
	@echo 'every test, in two processes, with a record of what it executes: some 10 minutes on two quiet cores'
	@.venv/bin/python tests/executing_tests.py

check: style
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 .venv/bin/pyright

style: environment
	@.venv/bin/ruff format --check --quiet . || { echo 'run: .venv/bin/ruff format .'; exit 1; }
	@.venv/bin/ruff check --quiet .
	@.venv/bin/python editors/make_grammars.py --check
	@.venv/bin/mypy --no-error-summary

verify: environment
	@.venv/bin/python tests/verify_models.py

# The extension for VS Code; needs node.
vscode:
	@cd editors/vscode && npm run --silent package && echo editors/vscode/cutset.vsix

grammars: environment
	@.venv/bin/python editors/make_grammars.py

# The parser is committed, so that editors need no generator. Debian 13 has it: apt install tree-sitter-cli.
tree-sitter:
	@cd editors/tree-sitter-cutset && tree-sitter generate --abi 14 --no-bindings && tree-sitter test

docs: environment
	@.venv/bin/python -m sphinx -q -W --keep-going -b html -d out/docs/.trees docs out/docs
	@echo out/docs/index.html

workbench:
	@cd workbench && npm ci --silent --no-audit --no-fund --ignore-scripts && npm run --silent check && npm run --silent build

environment:
	@./setup.sh
