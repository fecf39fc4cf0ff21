import pytest


@pytest.mark.parametrize(["tp_size", "x"], [pytest.param(2, 1, id="tp2-sp")])
def test_worker(tp_size, x):
    assert tp_size
