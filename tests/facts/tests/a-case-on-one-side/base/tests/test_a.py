import pytest


@pytest.mark.parametrize("tp, sequence_parallel", [(1, False)])
def test_worker(tp, sequence_parallel):
    assert tp
