"""Pure Python does exactly what it did: results, errors, order of effects."""

import sys

import pytest

from tests.conversion.passes_support import same

BINDING = {
    "deleted and read": """
        def f(n):
            x = 1
            if n: del x
            return x
        """,
    "deleted twice": """
        def f(n):
            x = y = 1
            for i in range(n):
                del x, y
            return 'kept'
        """,
    "deleted in a loop and bound again": """
        def f(n):
            for i in range(n):
                x = i
                if i % 2: del x
                print('x' in locals())
            return i
        """,
    "unbound in every place": """
        def f(n):
            if n < 0: x = 1
            if n == 0: return x
            if n == 1: return [x for _ in range(1)]
            if n == 2: return (lambda: x)()
            if n == 3: x += 1
            if n == 4: del x
            if n == 5: return n and x
            if n == 6: return f'{x}'
            if n == 7:
                def g(): return x
                return g()
            while n == 8: return x
            for i in x: pass
        """,
    "unbound in headers": """
        def show(x): return x
        def f(n):
            if n < 0: x = 1
            if n == 0:
                def g(a=x): return a
            if n == 1:
                def g(*, a=x): return a
            if n == 2:
                @x
                def g(): pass
            if n == 3:
                def g(a: x): pass
            if n == 4:
                def g() -> [x]: pass
            if n == 5: g = lambda a=x: a
            if n == 6:
                class C(x): pass
            if n == 7:
                class C: y = x
            if n == 8:
                class C:
                    if n: z = [x for i in (1,)]
            return g()
        """,
    "unbound global": """
        def f(n):
            global nowhere
            if n: nowhere = 1
            return nowhere
        """,
    "parameter deleted": """
        def f(n):
            if n > 1: del n
            return n
        """,
    "exception names": """
        def f(n):
            e = 'before'
            try:
                if n: raise ValueError(n)
            except ValueError as e:
                if n > 1: print(e)
            if n > 2: return 'end'
            return e
        """,
    "exception names in loops": """
        def f(n):
            for i in range(n):
                try:
                    raise KeyError(i)
                except KeyError as error:
                    if i: kept = error
                    g = lambda: error
                try: g()
                except NameError as problem: print(type(problem), problem)
            return kept
        """,
    "walrus": """
        def f(n):
            if (a := n) and (b := a - 1):
                print(a, b)
            while (c := n) > 0:
                n -= 1
            print([d := i for i in range(n + 3) if (e := i)], d, e)
            return a if n else (b if (z := n) else (z, b))
        """,
    "match binds": """
        def f(n):
            match n, n:
                case (1 as a, b): pass
                case ([*rest], {'k': v, **others}): pass
                case (int(x) | float(x), _): pass
            return sorted(k for k in locals() if k != 'n')
        """,
    "imports": """
        def f(n):
            if n:
                import os.path, sys as system
                from math import pi as circle
            else:
                import math
                return math.floor(2.5)
            return os.path.sep, circle, system.maxsize > 0
        """,
    "nonlocal": """
        def f(n):
            count = 0
            def step():
                nonlocal count
                if n: count += 1
                while count < 3: count += 1
            step()
            if n > 1: step()
            return count
        """,
    "global": """
        counter = 0
        def f(n):
            global counter
            for i in range(n):
                if i: counter += i
            return counter
        """,
    "class in a branch": """
        def f(n):
            x = 'outer'
            if n:
                class C(object):
                    x = x
                    y = [x for x in range(n)]
                    def m(self): return x, self.x, self.y
                    if n > 1: z = n
                    for i in range(n): pass
                return C().m(), C.__qualname__, C.m.__qualname__, hasattr(C, 'z'), C.i
        """,
    "comprehension scopes": """
        def f(n):
            x = 'x'
            if n:
                y = [x for x in range(n)]
                z = {x: y for x, y in zip('ab', y)}
                w = sum(x for x in range(n))
            else:
                y = z = w = None
            return x, y, z, w
        """,
    "comprehensions that are compiled into fragments": """
        def f(n):
            w = 'outer'
            if n:
                x = [w and n for w in (1, 0)]
                y = [(lambda: w)() for w in (1, 2)]
                z = [[w if w else n for w in (v,)] for v in 'ab']
                if n > 1: return w, x, y, z, {w: w or 1 for w in range(2)}
                g = lambda: w
                return g(), {a: w for a in 'x' for w in (n,)}
            for i in range(2):
                print([w in (1,) and i for w in range(3)], w)
            return w
        """,
    "exceptions bound again": """
        def f(n):
            try:
                if n: raise ValueError(n)
            except ValueError as e:
                if n > 1: e = str(e)
                print(e)
            return n
        """,
    "dead code still makes locals": """
        x = 'global'
        def f(n):
            if n: return 1
            else: return x
            x = 2
        """,
    "annotations": """
        def f(n):
            a: int
            if n:
                a: undefined_name = 1
                b: str = 'b'
                f.c: int = 3
            return a
        """,
    "names in nested functions": """
        def f(n):
            def outer(a, *b, c=n, **d):
                def inner(e=a):
                    if e: return (a, b, c, d, e)
                    return inner(e + 1)
                return inner()
            return outer(n), outer(n, 1, c=2, z=3)
        """,
    "recursion of a nested function in a branch": """
        def f(n):
            if n:
                def fact(k):
                    return 1 if k < 2 else k * fact(k - 1)
            return fact(n)
        """,
}

EVALUATION = {
    "and, or, not": """
        def say(x): print(x); return x
        def f(n):
            return (say(n) and say(0) or say([]) and say(1), not say(n) or say(3),
                    say(1) < say(n) < say(2), say(n) in say([1, 2]), say(n) is not None)
        """,
    "truth is asked once": """
        class T:
            def __init__(self, v): self.v = v
            def __bool__(self): print('bool', self.v); return bool(self.v)
            def __repr__(self): return f'T({self.v})'
        def f(n):
            a, b, c = T(n), T(0), T(1)
            if a and b: print('and')
            if a or b: print('or')
            if not (a and b or c): print('not')
            while a and c: a = b
            x = a and b or c, (a or c) and b, (c or a) and b, (a and b) and c, not (a and b)
            if (a if c else b) or not (b or c): print('nested')
            if (a and b if c else b or c): print('conditional')
            y = 1 if a or b else 2
            z = [i for i in range(2) if a or c]
            assert b or c
            return x, y, z
        """,
    "stores": """
        def say(x): print(x); return x
        class L(list):
            def __setitem__(self, i, v): print('set', i, v); super().__setitem__(i, v)
            def __getitem__(self, i): print('get', i); return super().__getitem__(i)
        def f(n):
            x = L([1, 2, 3]); i = n
            x[say(0)] = say(5)
            x[i], x[say(1)] = x[1], x[0]
            x[i] += say(2)
            x[say(0)] *= 3
            x[1:say(2)] = [say(7)]
            a = x[0] = b = say(8)
            (c, x[1]), *x[2:] = (1, 2), 3, 4
            x[-1], d = d, x[-1] = 9, 1
            x[i]: int = say(3)
            del x[say(0)]
            return list(x), a, b, c, d
        """,
    "store errors": """
        def say(x): print(x); return x
        def f(n):
            x = [1, 2]
            if n == 0: x[say(9)] = say(1)
            if n == 1: y[say(0)] = say(1)
            if n == 2: x[say(0)] = say(1) / 0
            if n == 3: x[5] += say(1)
            if n == 4: x['a'] = 1
            if n == 5: x['a'] += 1
            if n == 6: x[0], x[1] = 1,
            if n == 7: (x[0]) = say(unknown)
            if n > 100: y = []
            return x
        """,
    "walrus in a store": """
        def f(n):
            x = [0, 0, 0]; i = 0
            x[i] = (i := 2)
            x[(j := 1)] = j if n == 1 else 5
            x[i] += (i := 1)
            return x, i, j
        """,
    "attributes": """
        class C: pass
        def f(n):
            c = C(); c.a = n; c.b = c; c.b.b.a += 1; c.d = {}; c.d['k'] = [1]
            c.d['k'][0] += 5
            c.x = c.y = 3
            if n: del c.x, c.d['k']
            return sorted(vars(c)), c.a, c.d
        """,
    "f-strings": """
        class F:
            def __format__(self, spec): print('format', spec); return f'<{spec}>'
            def __repr__(self): print('repr'); return 'F'
            def __str__(self): print('str'); return 'S'
        def say(x): print('say', x); return x
        def f(n):
            a, w = F(), 8
            return (f'{a}{say(n)}{a!r:>{w}}{a!s}{n=}', f'{{}}{n:>{w}}', f'{n!r:{w}}', f'{w:{n}}{{',
                    f'{a:%d}', f"{'x':{'>'}{say(5)}}", f'{n:}', f'no fields {{}}')
        """,
    "f-string errors": """
        def f(n):
            if n == 0: return f'{n:bad}'
            if n == 1: return f'{None:>4}'
            if n == 2: return f'{unknown}'
            return f'{n:{n}{n}}'
        """,
    "percent": """
        def f(n):
            return '%s' % n, '%s %s' % (n, 1), '%(a)s' % {'a': n}, '%d' % n
        """,
    "calls": """
        def g(*a, **k): return a, sorted(k.items())
        def f(n):
            def h(a, /, b, *, c): return a, b, c
            return (g(*[1, 2], 3, *(4,), **{'x': 1}, y=2), h(1, b=2, c=3),
                    (lambda *a: a)(*range(n)), print('x', n, sep='-'), max(1, n, key=lambda v: -v))
        """,
    "call errors": """
        def g(a): return a
        def f(n):
            if n == 0: return g()
            if n == 1: return g(1, 2)
            if n == 2: return n()
            if n == 3: return len()
            if n == 4: return len(1)
            if n == 5: return g(**{'a': 1}, a=2)
            if n == 6: return int('x')
            if n == 7: return max([])
            return g(b=1)
        """,
    "builtins": """
        def f(n):
            return (abs(-n), all([n]), any([]), bool(n), divmod(n, 2), list(enumerate('ab', n)),
                    list(filter(None, [0, 1])), float(n), int(n), isinstance(n, int), list(iter([1])),
                    len('ab'), list(map(str, [n])), max(n, 3), min([1, 2]), next(iter([5])), pow(n, 2),
                    list(range(n)), list(reversed([1, 2])), repr(n), round(2.567, n % 3), sorted([3, 1]),
                    str(n), sum([1, 2], n), tuple('ab'), list(zip('ab', [1, 2])), set([n]))
        """,
    "builtins with other names": """
        def len(x): return 'mine'
        def f(n, max=lambda *a: 'param'):
            sum = lambda *a: 'local'
            return len([]), max(1, 2), sum([1]), [abs for abs in [1]], min(1, n)
        """,
    "assert": """
        def say(x): print(x); return x
        def f(n):
            assert say(n), say('message')
            assert n > 1
            assert n > 2, (n, 'tuple')
            return n
        """,
    "conditional expressions": """
        def say(x): print(x); return x
        def f(n):
            return [say(1) if say(i) else say(2) for i in range(n)], (n if n else n or 5)
        """,
    "lambdas": """
        def f(n):
            fs = [lambda x, i=i: (x, i, n) if x else [x and i, x or i, not x] for i in range(2)]
            return [g(k) for g in fs for k in (0, 1)]
        """,
    "decorators and defaults run once": """
        def say(x): print(x); return x
        def deco(g): print('deco', g.__name__); return g
        def f(n):
            for i in range(n):
                @deco
                def g(a=say(i), *, b: say('annotation') = say('b')) -> say('returns'): return a, b
                print(g(), g.__qualname__, g.__defaults__, sorted(g.__annotations__))
            return 'end'
        """,
    "is and in": """
        def f(n):
            return n is None, n is not None, n in (1, 2), n not in {3}, 1 if n is None else 2
        """,
}

EXCEPTIONS = {
    "try in a loop": """
        def f(n):
            out = []
            for i in range(n):
                try:
                    if i == 1: raise ValueError(i)
                    if i == 2: continue
                    if i == 3: break
                    out.append(i)
                except ValueError as e:
                    out.append(repr(e))
                else:
                    out.append('else')
                finally:
                    out.append('finally')
            else:
                out.append('loop else')
            return out
        """,
    "context and cause": """
        def f(n):
            try:
                try:
                    if n: raise ValueError('a')
                    raise KeyError('b')
                except ValueError as e:
                    raise TypeError('c') from e
                finally:
                    if n > 1: raise OSError('d')
            except Exception as e:
                return type(e), e.args, repr(e.__context__), repr(e.__cause__)
        """,
    "re-raise": """
        def f(n):
            try:
                if n: 1 / 0
                return 'fine'
            except ZeroDivisionError:
                if n > 1: raise
                print('handled')
            return n
        """,
    "return in finally": """
        def f(n):
            for i in range(3):
                try:
                    if n == i: return 'try'
                    if n == 5: raise ValueError
                finally:
                    if i == 2: return 'finally'
        """,
    "break in finally discards": """
        def f(n):
            while True:
                try:
                    if n: return 'lost'
                    raise ValueError('lost too')
                finally:
                    break
            return 'after'
        """,
    "with": """
        class M:
            def __init__(self, name, swallow=False): self.name, self.swallow = name, swallow
            def __enter__(self): print('in', self.name); return self.name
            def __exit__(self, t, v, tb): print('out', self.name, t); return self.swallow
        def f(n):
            with M('a') as a, M('b', True) as b:
                if n == 1: raise ValueError
                if n == 2: return (a, b)
                c = 3
            for i in range(n):
                with M('c'):
                    if i == 1: break
                    if i == 0: continue
            return a, b, c
        """,
    "partial updates survive": """
        def f(n):
            x = 0
            try:
                for i in range(n):
                    x += 1
                    if i == 2: raise ValueError
                    x += 10
            except ValueError: pass
            return x
        """,
    "stop iteration": """
        def f(n):
            it = iter(range(n))
            def g():
                for i in range(3): next(it)
                return 'got three'
            for i in range(2):
                try: print(g())
                except StopIteration: print('stop'); break
            return list(it)
        """,
    "raise in loops' tests": """
        def f(n):
            def test():
                nonlocal n
                n -= 1
                if n < 0: raise IndexError(n)
                return n != 2
            while test(): print(n)
            else: print('else')
            return n
        """,
}

CLASSES = {
    "super": """
        class A:
            def __init__(self, n): self.n = n
            def m(self, n): return ('A', n, __class__.__name__)
            @classmethod
            def c(cls, n): return (cls.__name__, n)
            @property
            def p(self): return self.n
        class B(A):
            def __init__(self, n):
                if n: super().__init__(n)
                else: super(B, self).__init__(-1)
            def m(self, n):
                for i in range(1):
                    if n: return super().m(n), [super(B, self).m(i) for i in range(2)]
                return super().m(0) and __class__
            @classmethod
            def c(cls, n): return super().c(n) if n else None
            @property
            def p(self):
                while True: return super().p
        def f(n):
            b = B(n); return b.m(n), b.c(n), b.p, B.c(n)
        """,
    "private names": """
        class _C:
            __slots__ = ('__x',)
            def __init__(self, __p): self.__x = __p
            def __hidden(self): return self.__x
            def m(self):
                __local = 1
                if self.__x:
                    __local = self.__hidden()
                    def __inner(): return __local
                    return __inner()
                if __local > 5: __late = 1
                try: __late
                except NameError as e: print(e)
                return [__local for __local in range(2)]
        def f(n):
            return _C(n).m(), [k for k in dir(_C) if 'hidden' in k]
        """,
    "callable objects and descriptors": """
        import functools
        class C:
            def __call__(self, n): return 'big' if n > 1 else 'small'
            @staticmethod
            def s(n): return n if n else 'zero'
            def __getattr__(self, name):
                if name.startswith('x'): return name
                raise AttributeError(name)
        def f(n):
            c = C()
            g = functools.partial(c, n)
            return c(n), c.s(n), g(), c.xyz, getattr(c, 'abc', 'none')
        """,
    "dataclass and enum": """
        import dataclasses, enum
        def f(n):
            @dataclasses.dataclass(order=True)
            class P:
                x: int
                y: int = n
                def total(self):
                    return self.x + self.y if n else 0
            class E(enum.Enum):
                A = 1
                B = n + 5
            return P(1), P(1).total(), P(1) < P(2), list(E), E(1)
        """,
}

GENERATORS = {
    "generators as helpers": """
        def f(n):
            def g(k):
                for i in range(k):
                    if i % 2: continue
                    got = yield i
                    if got: return 'stopped'
                yield from 'ab'
            out = []
            for x in g(n):
                if x == 'b': break
                out.append(x)
            h = g(3)
            next(h)
            try: h.send(1)
            except StopIteration as s: out.append(s.value)
            return out, sum(i for i in range(n) if i), list(x and y for x in (0, 1) for y in (n,))
        """,
    "a generator sees what changes": """
        def f(n):
            g = (x + n for x in range(3))
            for i in range(2):
                n += 10
            return list(g)
        """,
    "coroutines": """
        import asyncio
        async def g(n):
            async def h(): return n
            for i in range(n):
                if i: await asyncio.sleep(0)
            return [await h() for _ in range(2)]
        def f(n):
            return asyncio.run(g(n))
        """,
}

if sys.version_info >= (3, 11):
    EXCEPTIONS["exception groups"] = """
        def f(n):
            try:
                raise ExceptionGroup('g', [ValueError(n), KeyError(n)])
            except* ValueError as e:
                if n: print(e.exceptions)
            except* KeyError:
                for i in range(n): print(i)
            return n
        """

if sys.version_info >= (3, 12):
    BINDING["type parameters"] = """
        def f(n):
            if n:
                type Pair[T] = tuple[T, T]
                def g[T: int](x: T) -> T:
                    if x: return T.__name__, x
                    return Pair.__name__
                class C[U]:
                    def m(self): return U.__name__ if n > 1 else None
                return g(n), g(0), C().m(), C.__type_params__
        """

PROGRAMS = {**BINDING, **EVALUATION, **EXCEPTIONS, **CLASSES, **GENERATORS}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    same(PROGRAMS[name], *((n,) for n in range(9)), ("a",), (None,))
