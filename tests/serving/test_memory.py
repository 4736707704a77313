"""Every cache is bounded in bytes: what fills caches leaves a worker about as large as it was."""

import pytest

from bench.drills.memory import MAX_GROWTH_MB, growth_mb
from bench.drills.upstream import asking

pytestmark = pytest.mark.slow


@pytest.mark.timeout(300)
def test_worker_memory_is_bounded_under_long_names_headers_and_group_ids() -> None:
    """A5: the worker grew by 361 MB with the names, by 45 MB with the headers, by 900 MB with the ids."""
    with asking() as (upstream, server):
        grown, statuses = growth_mb(upstream, server)

    # Nothing is kept of a request whose head is refused.
    assert statuses <= {200, 431}
    assert grown <= MAX_GROWTH_MB
