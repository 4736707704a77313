"""The place of a series among all results: one number, the smaller the better.

From the highest bit on it holds: discontinued, unpopular, a long title, a serial number, the frequency and the
adjustment. A database that returns the smallest numbers first returns the best series first, and stops there.
Counts by frequency and adjustment need no look-up.
"""

from typing import NamedTuple

from econweb.upstream.records import Series, is_discontinued

FREQUENCIES = (
    "Not known",
    "Daily",
    "Weekly",
    "Biweekly",
    "Monthly",
    "Quarterly",
    "Semiannual",
    "Annual",
    "5 Year",
    "Other",
)
ADJUSTMENTS = (
    "Not known",
    "Seasonally Adjusted",
    "Seasonally Adjusted Annual Rate",
    "Smoothed Seasonally Adjusted",
    "Not Seasonally Adjusted",
    "Other",
)
# Bits of each part. The sum stays below the 63 bits of a database's number.
_FREQUENCY, _ADJUSTMENT, _SERIAL, _LENGTH, _UNPOPULAR = 5, 4, 30, 6, 7
MAX_SERIAL = (1 << _SERIAL) - 1
_ABOVE = _FREQUENCY + _ADJUSTMENT + _SERIAL + _LENGTH + _UNPOPULAR
# The bits of a place that `facets_of` needs; many places share them.
FACET_BITS = 1 << _ABOVE | (1 << (_FREQUENCY + _ADJUSTMENT)) - 1
LETTERS_A_STEP = 4
# A service may send larger numbers than the column holds; one would stop the write of its whole batch.
MAX_POPULARITY = (1 << 31) - 1


class Record(NamedTuple):
    """One series in the index."""

    series_id: str
    title: str
    frequency: str = ""
    seasonal_adjustment: str = ""
    units: str = ""
    popularity: int = 0

    @property
    def summary(self) -> str:
        """Return what tells series of one title apart."""
        return " · ".join(filter(None, (self.units, self.frequency, self.seasonal_adjustment)))


def record_of(series: Series) -> Record:
    popularity = min(max(series.popularity, -MAX_POPULARITY), MAX_POPULARITY)
    return Record(series.id, series.title, series.frequency, series.seasonal_adjustment, series.units, popularity)


class Facets(NamedTuple):
    """The properties of a series by which a search is filtered."""

    frequency: str
    seasonal_adjustment: str
    # `yes` or `no`.
    discontinued: str


def place_of(record: Record, serial: int) -> int:
    unpopular = 100 - min(max(record.popularity, 0), 100)
    length = min(len(record.title) // LETTERS_A_STEP, (1 << _LENGTH) - 1)
    place = int(is_discontinued(record.title))
    for bits, part in (
        (_UNPOPULAR, unpopular),
        (_LENGTH, length),
        (_SERIAL, serial),
        (_FREQUENCY, _code(FREQUENCIES, record.frequency.partition(",")[0].strip())),
        (_ADJUSTMENT, _code(ADJUSTMENTS, record.seasonal_adjustment)),
    ):
        place = place << bits | part
    return place


def facets_of(place: int) -> Facets:
    adjustment, frequency = place & (1 << _ADJUSTMENT) - 1, place >> _ADJUSTMENT & (1 << _FREQUENCY) - 1
    return Facets(FREQUENCIES[frequency], ADJUSTMENTS[adjustment], "yes" if place >> _ABOVE == 1 else "no")


def _code(names: tuple[str, ...], name: str) -> int:
    if not name:
        return 0
    return names.index(name) if name in names[1:-1] else len(names) - 1
