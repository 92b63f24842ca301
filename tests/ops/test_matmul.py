

def test_the_operator_of_two_vectors_is_their_inner_product():
    a, b = ag.constant([1.0, 2.0]), ag.constant([3.0, 4.0])
    assert float(a @ b) == 11
    assert float(ag.function(lambda a, b: a @ b)(a, b)) == 11
