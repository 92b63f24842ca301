import pytest

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.passes.jumps import lower_jumps
from autograph_lite.conversion.scopes import analyse
from tests.conversion.passes_support import function_of, same, text_of


def lowered(text):
    tree = function_of(text)
    lower_jumps(tree, analyse(tree)[tree], Names())
    return text_of(tree)


def test_return_in_a_branch_moves_the_rest():
    assert (
        lowered("""
        def f(a):
            if a: return 1
            g()
            return 2
        """)
        == """\
def f(a):
    if a:
        return_value = 1
    else:
        g()
        return_value = 2
    return return_value
"""
    )


def test_missing_return_is_none():
    assert (
        lowered("""
        def f(a):
            if a: return 1
        """)
        == """\
def f(a):
    if a:
        return_value = 1
    else:
        return_value = None
    return return_value
"""
    )


def test_returns_without_a_value_need_none():
    assert (
        lowered("""
        def f(a):
            if a: return
            g()
        """)
        == """\
def f(a):
    if a:
        pass
    else:
        g()
"""
    )


def test_returns_outside_of_branches_stay():
    text = """\
def f(a):
    with a:
        try:
            return g()
        except E:
            return 1
"""
    assert lowered(text) == text


def test_continue_needs_no_flag_where_the_rest_can_move():
    assert (
        lowered("""
        def f(a):
            for x in a:
                if x: continue
                g()
        """)
        == """\
def f(a):
    for x in a:
        if x:
            pass
        else:
            g()
"""
    )


def test_break_sets_a_flag():
    assert (
        lowered("""
        def f(a):
            while a:
                if g(): break
                h()
        """)
        == """\
def f(a):
    did_break = False
    while not did_break and a:
        if g():
            did_break = True
        else:
            h()
"""
    )


def test_else_of_a_loop_asks_whether_it_was_left():
    assert (
        lowered("""
        def f(a):
            while a:
                if g(): break
            else:
                h()
        """)
        == """\
def f(a):
    did_break = False
    while not did_break and a:
        if g():
            did_break = True
    if not did_break:
        h()
"""
    )


def test_jump_out_of_finally_stays_native():
    text = """\
def f(a):
    for x in a:
        try:
            g(x)
        finally:
            if x:
                break
"""
    assert lowered(text) == text


LOOPS = [
    """
    def f(n):
        for i in range(n):
            for j in range(n):
                if j == 2: break
                if i == 3: return (i, j)
                print(i, j)
            else:
                continue
            print('left', i)
            if i == 2: break
        else:
            return 'else'
        return 'end'
    """,
    """
    def f(n):
        i = 0
        while True:
            i += 1
            if i > n: return i
            if i % 2: continue
            print(i)
    """,
    """
    def f(n):
        total = 0
        while n:
            n -= 1
            try:
                if n == 3: continue
                if n == 1: break
                total += n
            finally:
                print('finally', n)
        else:
            total = -1
        return total
    """,
    """
    def f(n):
        for i in range(3):
            try:
                return i
            finally:
                if n: continue
        return 'none'
    """,
    """
    class Swallow:
        def __enter__(self): pass
        def __exit__(self, *args): return True
    class Raise:
        def __enter__(self): pass
        def __exit__(self, *args): raise ValueError
    def f(n):
        for i in range(n):
            with Swallow():
                with Raise():
                    if i == 1: return 'left'
            print(i)
        for i in range(n):
            with Swallow(), Raise():
                if i == 1: break
            print(i)
        return 'end'
    """,
    """
    def f(n):
        for i in range(n):
            try:
                try:
                    if i == 1: break
                finally:
                    if i == 1: raise KeyError
            except KeyError:
                print('caught')
        else:
            return 'else'
        return i
    """,
    """
    def f(n):
        match n:
            case 0: return 'zero'
            case [x, *rest] if rest:
                for y in rest:
                    if y == x: return ('again', y)
            case int(): pass
            case _: return 'other'
        return ('end', n)
    """,
    """
    def f(n):
        try:
            if n > 2: return 'try'
            x = 1
        except TypeError:
            return 'except'
        else:
            print('else')
            if n > 1: return 'else'
        finally:
            print('finally')
        return x
    """,
    """
    def f(n):
        def g():
            if n: return 'g'
        if n > 3:
            return g()
        class C:
            def m(self):
                for i in range(n):
                    if i: return i
        return C().m()
    """,
]


@pytest.mark.parametrize("text", LOOPS)
def test_jumps_do_what_python_does(text):
    same(text, (0,), (1,), (2,), (3,), (5,), ([1, 2],), ([1, 2, 1],), (None,))
