from tests.conversion.passes_support import converted_text, same


def test_if_becomes_cond():
    assert (
        converted_text("""
        def f(a, b):
            if a > b - 1:
                a = b
            else:
                b = a
            return a + b
        """)
        == """\
def f(a, b):
    def if_body():
        nonlocal a
        a = b

    def else_body():
        nonlocal b
        b = a

    def get_state():
        return a, b

    def set_state(values):
        nonlocal a, b
        a, b = values
    ag__.cond(a > b - 1, if_body, else_body, get_state, set_state, ('a', 'b'))
    return a + b
"""
    )


def test_no_state_and_no_else_give_a_short_call():
    assert (
        converted_text("""
        def f(a):
            if a:
                print(a)
        """)
        == """\
def f(a):
    def if_body():
        ag__.tensor_print(a)
    ag__.cond(a, if_body)
"""
    )


def test_state_is_what_is_changed_and_needed():
    text = converted_text("""
        def f(a):
            if a:
                unused = 1
                used = 2
            else:
                used = 3
            return used
        """)
    assert "('used',)" in text


def test_names_captured_by_functions_are_needed():
    text = converted_text("""
        def f(a):
            seen = 0
            if a:
                seen = 1
            return lambda: seen
        """)
    assert "('seen',)" in text


def test_names_do_not_clash_with_the_users():
    text = converted_text("""
        def f(if_body, get_state):
            if if_body:
                get_state = 2
            return get_state
        """)
    assert "def if_body_1" in text and "def get_state_1" in text


def test_maybe_undefined_variable():
    text = converted_text("""
        def f(a):
            if a:
                b = 1
            return b
        """)
    assert "b = ag__.Undefined('b')" in text
    assert "return ag__.ld(b)" in text
    same(
        """
        def f(a):
            if a:
                b = 1
            return b
        """,
        (0,),
        (1,),
    )


def test_reads_of_defined_variables_are_not_wrapped():
    text = converted_text("""
        def f(a):
            if a:
                b = 1
            else:
                b = 2
            return b
        """)
    assert "ag__.ld" not in text


def test_long_chain_of_elifs_stays_shallow():
    lines = "".join(f"    elif x == {i}:\n        y = {i}\n" for i in range(300))
    text = f"def f(x):\n    if x < 0:\n        y = -1\n{lines}    else:\n        y = 'none'\n    return y\n"
    same(text, (-3,), (0,), (9,), (10,), (11,), (150,), (299,), (300,))


def test_long_row_of_returns_stays_shallow():
    lines = "".join(f"    if x == {i}:\n        return {i}\n" for i in range(300))
    same(f"def f(x):\n{lines}    return 'none'\n", (0,), (10,), (150,), (299,), (300,))
