"""Random programs over state in attributes, items, globals and cells: traced as run eagerly."""

import importlib.util
import random
import sys

import pytest

import autograph_lite as ag

PLACES = "self.a self.b d['k'] d['m'] lst[0] lst[1] c g box.t cfg.inner.w".split()
VALUES = ["K", "self.n", "cfg.rate", "tab['r']", "k0", "sizes[1]", "len(sizes)"]

HEAD = """\
import autograph_lite as ag, types
K = 3
g = ag.constant(5)
def make():
    cfg = types.SimpleNamespace(rate=2, inner=types.SimpleNamespace(w=ag.constant(7)))
    box = types.SimpleNamespace(t=ag.constant(2))
    d = {'k': ag.constant(1), 'm': ag.constant(4)}
    lst, tab, sizes = [ag.constant(6), ag.constant(8)], {'r': 5}, [1, 2]
    c, k0 = ag.constant(9), 1
    class Model:
        def __init__(self):
            self.a, self.b, self.n = ag.constant(1), ag.constant(2), 2
        def helper(self, x, cfg):
            nonlocal c
            global g
"""
METHOD = """\
        @ag.function
        def run(self, x):
            nonlocal c
            global g
"""
TAIL = """\
    model = Model()
    def state():
        tensors = [model.a, model.b, *d.values(), *lst, c, g, box.t, cfg.inner.w]
        return [int(t) for t in tensors]
    def poke(kind, v):
        nonlocal c, k0
        global g, K
        t = ag.constant(v)
        if kind == 0: model.a = t
        elif kind == 1: model.n = v
        elif kind == 2: cfg.rate = v
        elif kind == 3: tab['r'] = v
        elif kind == 4: k0 = v
        elif kind == 5: K = v
        elif kind == 6: c = t
        elif kind == 7: g = t
        elif kind == 8: cfg.inner = types.SimpleNamespace(w=t)
        elif kind == 9: lst[1] = t
        elif kind == 10: sizes[1] = v
        elif kind == 11: sizes.append(v)
        elif kind == 12: d['k'] = t
    return model.run, state, poke
"""


class Writer:
    """Writes one program."""

    def __init__(self, rng):
        self.rng = rng
        self.may_call = False

    def expression(self, depth=0):
        kind = self.rng.random()
        if kind < 0.35:
            return self.rng.choice(PLACES)
        if kind < 0.5 or depth > 2:
            return "x"
        if kind < 0.65:
            return self.rng.choice(VALUES)
        if kind < 0.75:
            return str(self.rng.randrange(1, 4))
        left, right = self.expression(depth + 1), self.expression(depth + 1)
        return f"({left} {self.rng.choice('+-*')} {right}) % 97"

    def block(self, depth, pad):
        return "".join(self.statement(depth, pad) for _ in range(self.rng.randrange(1, 4)))

    def statement(self, depth, pad):
        rng, kind = self.rng, self.rng.random()
        if kind < 0.5 or depth > 1:
            place = rng.choice(PLACES)
            if rng.random() < 0.3:
                return f"{pad}{place} += {self.expression()}\n"
            return f"{pad}{place} = {self.expression()} + x * 0\n"
        inner = pad + "    "
        if kind < 0.75:
            test = f"{self.expression()} {rng.choice('<>')} {self.expression()}"
            text = f"{pad}if {test}:\n{self.block(depth + 1, inner)}"
            if rng.random() < 0.6:
                text += f"{pad}else:\n{self.block(depth + 1, inner)}"
            return text
        if kind < 0.9:
            count = rng.choice(["2", "x % 3"])
            return f"{pad}for i{depth} in ag.range({count}):\n{self.block(depth + 1, inner)}"
        return f"{pad}self.helper(x, cfg)\n" if self.may_call else f"{pad}pass\n"

    def program(self):
        pad = " " * 12
        helper = self.block(1, pad)
        self.may_call = True
        text = HEAD + helper + METHOD + self.block(0, pad)
        return f"{text}{pad}return {self.expression()}, {self.expression()}\n{TAIL}"


def outcomes(path, name, seed, eagerly):
    """What eight calls give and leave behind, with changes from outside between them."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    run, state, poke = module.make()
    rng, found = random.Random(seed), []
    ag.config.run_functions_eagerly(eagerly)
    try:
        for _ in range(8):
            if rng.random() < 0.5:
                poke(rng.randrange(13), rng.randrange(10))
            found.append([*map(int, run(ag.constant(rng.randrange(6)))), *state()])
    finally:
        ag.config.run_functions_eagerly(False)
        del sys.modules[name]
    return found


@pytest.mark.filterwarnings("ignore::autograph_lite.retracing.RetracingWarning")
@pytest.mark.parametrize("seed", range(20))
def test_traced_as_run_eagerly(seed, tmp_path):
    path = tmp_path / f"program_{seed}.py"
    path.write_text(Writer(random.Random(seed)).program())
    eager = outcomes(path, f"eager_{seed}", seed, True)
    assert outcomes(path, f"traced_{seed}", seed, False) == eager
