"""Series of the embedded service for lists."""

import pytest

from tests.builders import a_series
from tests.conftest import Loader


@pytest.fixture
def three(catalogue: Loader) -> None:
    catalogue(
        series=[
            a_series(id="GDP", popularity="90", notes=""),
            a_series(id="UNRATE", popularity="5", units="Percent"),
            a_series(id="CPI", popularity="40"),
        ]
    )
