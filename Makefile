# make demo    simulate a robot arm of six joints, write out/r3.csv and out/r3.png
# make test    run every test

.PHONY: demo test environment

demo: environment
	@mkdir -p out
	@.venv/bin/cutset simulate models/r3_arm.mo --stop 2 --outputs 'r*.q' 'r*.qd' \
	    -o out/r3.csv --plot r1.q,r2.q,r3.q,r4.q,r5.q,r6.q --save out/r3.png --stats

test: environment
	@.venv/bin/python -m pytest -n 2

environment:
	@./setup.sh
