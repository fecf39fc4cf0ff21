import pytest


@pytest.mark.parametrize("case", [{"tp": 2, "sp": True}, {"tp": 1}])
class TestWorker:
    @pytest.mark.parametrize("case", [{"tp": 2, "mode": "sp"}])
    def test_worker(self, case):
        assert case
