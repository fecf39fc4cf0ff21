import pytest


@pytest.mark.parametrize("case", [Config(tp=2), Config(tp=2, mode="sp")])
def test_worker(case):
    assert case
