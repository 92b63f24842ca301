from tests.conversion.passes_support import converted_text, same


def test_while_becomes_while_loop():
    assert (
        converted_text("""
        def f(n):
            steps = 0
            while n != 1:
                n = n // 2
                steps += 1
            return steps
        """)
        == """\
def f(n):
    steps = 0

    def loop_test():
        return n != 1

    def loop_body():
        nonlocal n, steps
        n = n // 2
        steps += 1

    def get_state():
        return n, steps

    def set_state(values):
        nonlocal n, steps
        n, steps = values
    ag__.while_loop(loop_test, loop_body, get_state, set_state, ('n', 'steps'))
    return steps
"""
    )


def test_for_becomes_for_loop():
    assert (
        converted_text("""
        def f(xs):
            total = 0
            for key, value in xs:
                total += value
            return total
        """)
        == """\
def f(xs):
    total = 0
    key = ag__.Undefined('key')
    value = ag__.Undefined('value')

    def loop_body(item):
        nonlocal key, value, total
        key, value = item
        total += value

    def get_state():
        return (total,)

    def set_state(values):
        nonlocal total
        (total,) = values
    ag__.for_loop(xs, loop_body, get_state, set_state, ('total',))
    return total
"""
    )


def test_break_becomes_a_test():
    text = converted_text("""
        def f(xs):
            for x in xs:
                if x > 3:
                    break
            return x
        """)
    assert "extra_test=loop_test)" in text
    assert "return ag__.not_(did_break)" in text


def test_variables_of_one_pass_are_not_state():
    text = converted_text("""
        def f(xs):
            total = 0
            for x in xs:
                square = x * x
                if square > 4:
                    break
                total += square
            return total
        """)
    assert "get_state, set_state, ('did_break', 'total'), extra_test" in text


def test_options():
    text = converted_text("""
        def f(n):
            while n:
                ag.autograph.experimental.set_loop_options(maximum_iterations=3)
                n -= 1
        """)
    assert "options={'maximum_iterations': 3}" in text
    assert "set_loop_options" not in text


def test_late_binding():
    same("""
        def f():
            functions = []
            for i in range(3):
                j = i
                functions.append(lambda: (i, j))
            while i < 5:
                i += 1
                functions.append(lambda i=i: (i, j))
            return [g() for g in functions]
        """)


def test_target_of_every_kind():
    same("""
        def f():
            class C: pass
            c, d, rows = C(), {}, []
            for c.x in range(2): pass
            for d['k'] in 'ab': pass
            for d[c.x] in 'cd': pass
            for a, (b, *e) in [(1, (2, 3, 4))]: rows.append((a, b, e))
            for [p, q] in ['xy']: pass
            return c.x, d, rows, p, q
        """)


def test_iterator_errors():
    same(
        """
        def f(x):
            for a, b in x:
                print(a, b)
        """,
        (3,),
        ([1],),
        ([(1, 2, 3)],),
        ({},),
    )


def test_loop_over_a_list_that_grows():
    same("""
        def f():
            xs = [1]
            for x in xs:
                if x < 5:
                    xs.append(x + 1)
            return xs
        """)


def test_break_does_not_fetch_another_item():
    same("""
        def f():
            def numbers():
                for i in range(5):
                    print('fetch', i)
                    yield i
            it = numbers()
            for i in it:
                if i == 2:
                    break
            return list(it)
        """)


def test_objects_live_as_long_as_before():
    same("""
        import weakref
        def f():
            class C: pass
            if True:
                kept = C()
                ref = weakref.ref(kept)
            for i in range(1):
                also = C()
                ref2 = weakref.ref(also)
            return ref() is None, ref2() is None
        """)
