"""A date typed in any usual way is understood, and a wrong one is refused by its label."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from econweb.dashboard.parameter_checks import parse_day
from tests.dashboard.reading import alert


@pytest.mark.parametrize(
    ("typed", "first", "last"),
    [
        ("2014-01-31", date(2014, 1, 31), date(2014, 1, 31)),
        ("2014-1-1", date(2014, 1, 1), date(2014, 1, 1)),
        ("2014-02", date(2014, 2, 1), date(2014, 2, 28)),
        ("2014-6", date(2014, 6, 1), date(2014, 6, 30)),
        ("2014", date(2014, 1, 1), date(2014, 12, 31)),
        ("1776-07-04", date(1776, 7, 4), date(1776, 7, 4)),
    ],
)
def test_date_of_year_or_month_is_first_or_last_day(typed: str, first: date, last: date) -> None:
    assert parse_day(typed, "realtime_start") == parse_day(typed, "day") == first
    assert parse_day(typed, "realtime_end") == last


def test_date_of_current_year_ends_today() -> None:
    today = timezone.localdate()

    assert parse_day(f"{today:%Y}", "realtime_end") == parse_day(f"{today:%Y-%m}", "realtime_end") == today


@pytest.mark.parametrize(
    "typed", ["soon", "1/1/2014", "20140101", "2014-W05-5", "2014-13", "2014-02-30", "0000", "14", "٢٠١٤"]
)
@pytest.mark.parametrize(
    ("name", "label"), [("realtime_start", "first day"), ("realtime_end", "last day"), ("day", "date")]
)
def test_invalid_date_error_has_label_and_example(typed: str, name: str, label: str) -> None:
    with pytest.raises(ValidationError, match=f"Enter the {label} as YYYY-MM-DD, for example 2020-01-31."):
        parse_day(typed, name)


@pytest.mark.parametrize("typed", ["1776-07-03", "1700", "9998", str(timezone.localdate() + timedelta(days=2))])
def test_date_before_all_data_or_after_today_is_refused(typed: str) -> None:
    with pytest.raises(ValidationError, match="between 1776-07-04 and today"):
        parse_day(typed, "realtime_end")


def test_last_day_of_all_is_the_end_of_a_period_alone() -> None:
    assert parse_day("9999-12-31", "realtime_end") == date(9999, 12, 31)
    for name in ("realtime_start", "as_of", "day"):
        with pytest.raises(ValidationError, match="between 1776-07-04 and today"):
            parse_day("9999-12-31", name)


@pytest.mark.parametrize(
    "link",
    [
        "/series/GNPCA/?as_of={}",
        "/series/GNPCA/?realtime_start={0}&realtime_end={0}",
        "/series/?ids=GNPCA&as_of={}",
        "/category/125/tags/?as_of={}",
        "/compare/?a=series:GNPCA&b=series:GNPCA@{}",
    ],
)
@pytest.mark.django_db
def test_last_day_of_all_is_refused_as_the_one_day_of_a_view(client: Client, link: str) -> None:
    """The page said “Fixed at 9999-12-31”, and its citation had the year 9999."""
    tomorrow = str(timezone.localdate() + timedelta(days=1))
    late, last = (client.get(link.format(day)) for day in (tomorrow, "9999-12-31"))

    assert (late.status_code, last.status_code) == (400, 400)
    assert "between 1776-07-04 and today." in alert(last)
