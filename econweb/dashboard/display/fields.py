"""Fields of a series in their order, and the labels of fields of series and tags."""

from econweb.upstream.records import Series

# The order of the contract's `Series`.
FIELDS = Series.__struct_fields__
# Labels that differ from the name in the contract.
_NAMES = {
    "group_id": "Group",
    "id": "Series",
    "realtime_start": "Real-time start",
    "realtime_end": "Real-time end",
    "observation_start": "First observation",
    "observation_end": "Last observation",
    "frequency_short": "Frequency (short)",
    "units_short": "Units (short)",
    "seasonal_adjustment_short": "Adjustment (short)",
}


def field_label(field: str) -> str:
    return _NAMES.get(field) or field.replace("_", " ").capitalize()
