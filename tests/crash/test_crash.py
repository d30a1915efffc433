"""The harness of `make crash` itself, at a size that fits the host tests: what it starts must be today's service."""

import pytest

from tests.crash import kills

pytestmark = pytest.mark.host


def test_killed_a_few_times_the_service_loses_nothing_that_was_confirmed() -> None:
    figures = kills.run(6, seed=7)
    assert (figures.kills, figures.lost, figures.wrong, figures.unreadable) == (6, 0, 0, 0)
    assert figures.confirmed > 0
