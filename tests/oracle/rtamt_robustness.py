"""Robustness by rtamt, for `test_against_rtamt.py`: cases as JSON on stdin, values as JSON on stdout.

Runs in a virtual environment of its own, because rtamt pins an old antlr4. Not imported by stressfield.
"""

import json
import sys

import rtamt


def robustness(case):
    specification = rtamt.StlDiscreteTimeSpecification()
    for name in case["signals"]:
        specification.declare_var(name, "float")
    specification.spec = case["formula"]
    specification.parse()
    count = len(next(iter(case["signals"].values())))
    return [value for _, value in specification.evaluate({"time": list(range(count)), **case["signals"]})]


json.dump([robustness(case) for case in json.load(sys.stdin)], sys.stdout)
