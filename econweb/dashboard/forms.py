"""What a link or a form of a page may say, read into the frozen queries of the service module."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from datetime import date
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.provenance import today
from econweb.upstream.queries import ORDER_BYS, SORT_ORDERS, TAG_GROUPS, SeriesQuery, TagQuery, split_names

# Each link of a page says all names, and each name has a link.
MOST_NAMES = 50
# So many are compared with the parameters; to compare takes time.
MOST_UNKNOWN = 10
# Spec 4.5: of one page.
MOST_ROWS = 1000
FIRST_DAY, LAST_DAY = date(1776, 7, 4), date(9999, 12, 31)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd]")


class _Text(forms.CharField):
    def __deepcopy__(self, memo: object) -> "_Text":
        """Nothing changes the fields of one form, and to copy them takes as long as to read a link."""
        return self


def text_field(strip: bool = True) -> _Text:
    field = _Text(required=False, strip=strip)
    # What Django itself would say of a NUL does not name the parameter; what is read of it does.
    field.validators = []
    return field


class RealtimeForm(forms.Form):
    """Spec 4.1: the period that every request may name. A parameter that is empty counts as absent."""

    realtime_start = text_field()
    realtime_end = text_field()

    def clean_realtime_start(self) -> date | None:
        return _day(self.cleaned_data["realtime_start"], "realtime_start")

    def clean_realtime_end(self) -> date | None:
        return _day(self.cleaned_data["realtime_end"], "realtime_end")

    def fields_shown(self) -> dict[str, str]:
        """What stands in the fields of a page: what was given, or what it was read as."""
        shown = {
            name: self.cleaned_data.get(name, self.data.get(name))
            for name in ABOVE_RESULTS & type(self).base_fields.keys()
        }
        return {name: str(value or "") for name, value in shown.items()}

    def clean(self) -> None:
        for name in contradictions(self.data, self.fields):
            self.add_error(name, f"{name} is given more than once, with different values.")
        start, end = (self.cleaned_data.get(name) for name in ("realtime_start", "realtime_end"))
        if start and end and start > end:
            self.add_error("realtime_end", "realtime_end is before realtime_start.")


class SeriesForm(RealtimeForm):
    """Spec 4.2."""

    series_id = forms.RegexField(
        regex=r"^[A-Za-z0-9_]{1,25}\Z",
        error_messages={
            "invalid": "series_id is one to 25 letters, digits and underscores, for example GNPCA."
        },
    )

    def query(self) -> SeriesQuery:
        return SeriesQuery(**self.cleaned_data)


class TagFilters(RealtimeForm):
    """Spec 4.5, with the defaults of a page."""

    # Several lists of names are one list: any of the names is wanted.
    tag_names = text_field(strip=False)
    tag_group_id = text_field()
    search_text = text_field()
    order_by = text_field()
    sort_order = text_field()
    limit = text_field()
    offset = text_field()

    def __init__(self, given: QueryDict) -> None:
        self.given = _one_list_of_names(given)
        # What a link does not say is the default of the query; to read it would take as long as the rest.
        read = {name: field for name, field in TagFilters.base_fields.items() if name in self.given}
        # Django copies every field that a form has, and most are not read.
        self.base_fields = read  # type: ignore[misc]
        super().__init__(self.given)

    def clean_tag_names(self) -> tuple[str, ...]:
        names = split_names(plain(self.cleaned_data["tag_names"], "tag_names", longest=2000))
        if len(names) > MOST_NAMES:
            raise ValidationError(f"tag_names is a list of at most {MOST_NAMES} names with ; between them.")
        return names

    def clean_tag_group_id(self) -> str:
        return plain(self.cleaned_data["tag_group_id"], "tag_group_id", longest=100)

    def clean_search_text(self) -> str:
        return plain(self.cleaned_data["search_text"], "search_text", longest=200)

    def clean_order_by(self) -> str:
        return self._one_of("order_by", ORDER_BYS)

    def clean_sort_order(self) -> str:
        return self._one_of("sort_order", dict.fromkeys(SORT_ORDERS))

    def clean_limit(self) -> int:
        return self._number("limit", 1, MOST_ROWS)

    def clean_offset(self) -> int:
        return self._number("offset", 0, 9_999_999)

    def query(self) -> TagQuery:
        return TagQuery(**self.cleaned_data)

    def link_as_given(self) -> str:
        """The query string of a view that cannot be shown: what was given but for defaults."""
        given = {field: list(dict.fromkeys(self.given.getlist(field.name))) for field in fields(TagQuery)}
        told = {field.name: values for field, values in given.items() if values != [str(field.default)]}
        return urlencode([(name, value) for name, values in told.items() for value in values if value])

    def _one_of(self, name: str, words: Mapping[str, object]) -> str:
        word = self.cleaned_data[name] or getattr(TagQuery, name)
        if word not in words:
            raise ValidationError(f"{name} is one of {', '.join(words)}.")
        return str(word)

    def _number(self, name: str, lowest: int, highest: int) -> int:
        digits = self.cleaned_data[name] or str(getattr(TagQuery, name))
        # int() would take 5_0 and digits of other scripts.
        if not re.fullmatch(r"[0-9]{1,7}", digits) or not lowest <= int(digits) <= highest:
            raise ValidationError(f"{name} is a whole number from {lowest} to {highest}.")
        return int(digits)


# These have a field of their own above the results of a tag page, whatever is wrong.
ABOVE_RESULTS = {"search_text", "realtime_start", "realtime_end"}
# What the results hold for the form around them; another view begins at its first row.
HELD_BY_RESULTS = [name for name in TagFilters.base_fields if name not in ABOVE_RESULTS | {"offset"}]


def plain(text: str, name: str, longest: int) -> str:
    if _CONTROLS.search(text):
        raise ValidationError(f"{name} has a character that is no text.")
    if len(text) > longest:
        raise ValidationError(f"{name} is at most {longest} characters long.")
    return text


def unknown_group(group_id: str, of_source: Iterable[str]) -> str:
    """What is said of a group that neither the contract nor the source knows; nothing of any other."""
    known = dict.fromkeys([*TAG_GROUPS, *of_source])
    return f"tag_group_id is one of {', '.join(known)}." if group_id and group_id not in known else ""


def _day(text: str, name: str) -> date | None:
    return day_in(text, name) if text else None


def day_in(text: str, name: str) -> date:
    try:
        # fromisoformat alone would take 20200131 and 2020-W05-5 too.
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return _in_time(date.fromisoformat(text), name)
    except ValueError:
        pass
    raise ValidationError(f"{name} is a day written YYYY-MM-DD, for example 2020-01-31.")


def _in_time(day: date, name: str) -> date:
    """Spec 4.1; what lies ahead is known to nobody, and only the last day stands for an open end."""
    if FIRST_DAY <= day <= today() or day == LAST_DAY:
        return day
    raise ValidationError(f"{name} is a day from {FIRST_DAY} to today, or {LAST_DAY}.")


def contradictions(data: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Parameters that a link gives more than once, not always alike."""
    return [name for name in names if isinstance(data, QueryDict) and len(set(data.getlist(name))) > 1]


def misspelt(data: Iterable[str], names: Collection[str]) -> dict[str, str]:
    """Words of a link that are no parameter, each with the one that it is nearly."""
    unknown = [word for word in data if word not in names][:MOST_UNKNOWN]
    near = {word: get_close_matches(word, names, n=1, cutoff=0.7) for word in unknown}
    return {word: found[0] for word, found in near.items() if found}


def _one_list_of_names(given: QueryDict) -> QueryDict:
    if len(lists := given.getlist("tag_names")) < 2:
        return given
    joined = given.copy()
    joined["tag_names"] = ";".join(filter(None, lists))
    return joined
