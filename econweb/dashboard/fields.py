"""The fields of a series: their order, what people call them, and what kind of value each holds."""

from typing import get_type_hints

from econweb.dashboard.files.sheets import Kind
from econweb.upstream.records import Series

# Spec 2.2, in its order.
FIELDS = Series.__struct_fields__
# Where the contract's own word, written as people write, would not do.
_NAMES = {
    "id": "Series",
    "realtime_start": "Real-time start",
    "realtime_end": "Real-time end",
    "observation_start": "First observation",
    "observation_end": "Last observation",
    "frequency_short": "Frequency code",
    "units_short": "Units code",
    "seasonal_adjustment_short": "Seasonal adjustment code",
}
_LONG = {"title", "units", "notes"}
_NUMBERS = {name for name, kind in get_type_hints(Series).items() if kind is int}


def name_of(field: str) -> str:
    return _NAMES.get(field) or field.replace("_", " ").capitalize()


def kind_of(field: str) -> Kind:
    if field in _NUMBERS:
        return "number"
    return "long" if field in _LONG else "text"
