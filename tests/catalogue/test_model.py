"""The service answers as the plain model does, for any catalogue and any request."""

import os
import tempfile
from datetime import date
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings as configured
from django.core.management import call_command
from django.test import RequestFactory
from django.urls import resolve
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from econweb.catalogue import counts
from tests.builders import a_series, write_catalogue
from tests.catalogue import model
from tests.catalogue.api_calls import Rows, a_tag, read

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TODAY = "2020-01-20"
# Each example is a catalogue that is asked 200 times: 10,000 questions in all, if nothing else is said.
EXAMPLES = int(os.environ.get("ECONWEB_EXAMPLES", "50"))
QUESTIONS = 200

LETTERS = "abAB éßİ 0_-+&%<>\"'(.\n/\\𝔸"
NAMES = ["usa", "USA", "a b", "ab-b", "100%", "+0.0", "éß", "İ/", "<b>", "q&a", '"x"', "\U0001d538"]
names = st.sampled_from(NAMES)
days = st.integers(1, 25).map("2020-01-{:02}".format)
stamps = st.builds("2020-01-{:02} 12:00:00{:+03}".format, st.integers(1, 3), st.integers(-6, 5))
GROUPS = ["gen", "geo", "freq"]
groups = st.sampled_from(GROUPS)
texts = st.text(LETTERS, max_size=8)


@st.composite
def versions(draw: st.DrawFn, series_id: str) -> Rows:
    """Periods that follow each other at once or with gaps between, with an end or without."""
    bounds = sorted(draw(st.sets(st.integers(1, 25), min_size=2, max_size=6)))
    gapless = draw(st.booleans())
    periods = (
        [[a, b - 1] for a, b in pairwise(bounds)] if gapless else list(zip(bounds[::2], bounds[1::2], strict=False))
    )
    rows = []
    for number, (start, end) in enumerate(periods):
        last = "9999-12-31" if number == len(periods) - 1 and draw(st.booleans()) else f"2020-01-{end:02}"
        rows.append(
            a_series(
                id=series_id,
                realtime_start=f"2020-01-{start:02}",
                realtime_end=last,
                title=draw(texts) + "t",
                notes=draw(texts),
            )
        )
    return rows


@st.composite
def catalogues(draw: st.DrawFn) -> dict[str, Rows]:
    ids = [f"S{number}" for number in range(draw(st.integers(1, 6)))]
    tag_names = draw(st.lists(names, unique=True, min_size=3, max_size=8))
    tags = [
        a_tag(
            name,
            group_id=draw(groups),
            notes=draw(texts),
            created=draw(stamps),
            popularity=str(draw(st.integers(-2, 2))),
        )
        for name in tag_names
    ]

    def linked(column: str, values: list[str]) -> Rows:
        pairs = [{"series_id": one, column: other} for one in ids for other in values]
        return [pair for pair in pairs if draw(st.integers(0, 2))]

    return {
        "series": [row for one in ids for row in draw(versions(one))],
        "tags": tags,
        "series_tags": linked("tag_name", tag_names),
        "series_categories": linked("category_id", ["0", "125"]),
        "series_releases": linked("release_id", ["53"]),
        "categories": [{"category_id": number, "name": "A category"} for number in ("0", "125")],
        "releases": [{"release_id": "53", "name": "A release"}],
    }


def questions(random: Random) -> list[tuple[str, dict[str, str]]]:
    """Return the questions to one catalogue; hypothesis would take longer to draw them than the service to answer."""
    return [a_question(random) for _ in range(QUESTIONS)]


def a_question(random: Random) -> tuple[str, dict[str, str]]:
    first = random.randint(1, 20)
    last = random.randint(first, min(20, first + random.choice([0, 0, 3, 20])))
    path = random.choice(["release/tags", "category/tags", "series"])
    name, values = {
        "series": ("series_id", ["S0", "s0", "S1", "S9"]),
        "category/tags": ("category_id", ["125", "125", "0", "8"]),
        "release/tags": ("release_id", ["53", "53", "53", "8"]),
    }[path]
    optional = {"realtime_start": f"2020-01-{first:02}", "realtime_end": f"2020-01-{last:02}"}
    if path != "series":
        optional |= {
            "tag_group_id": random.choice(GROUPS),
            "tag_names": ";".join(random.choices(NAMES, k=random.randint(1, 3))),
            "search_text": some_text(random),
            "order_by": random.choice(["series_count", "popularity", "created", "name", "group_id"]),
            "sort_order": random.choice(["asc", "desc"]),
            "limit": str(random.randint(1, 4)),
            "offset": str(random.randint(0, 4)),
        }
    asked = {key: value for key, value in optional.items() if random.random() < 0.5}
    return path, {name: random.choice(values), **asked}


def some_text(random: Random) -> str:
    while not (text := "".join(random.choices(LETTERS.replace("\n", ""), k=random.randint(1, 3)))).strip():
        pass
    return text


@pytest.fixture(autouse=True)
def fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.localdate", lambda: date.fromisoformat(TODAY))


@pytest.fixture(autouse=True)
def short_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make checkpoints so short that a few series fill several of them."""
    monkeypatch.setattr(counts, "SERIES_PER_CHECKPOINT", 2)


@pytest.mark.timeout(3600)
# Without shrinking, which would load hundreds of catalogues before it tells.
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=[Phase.generate],
)
@given(
    files=catalogues(),
    seed=st.integers(0, 2**32),
    file_type=st.sampled_from(["json", "xml"]),
)
def test_answers_equal_those_of_the_model(files: dict[str, Rows], seed: int, file_type: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        call_command("load_catalogue", str(write_catalogue(Path(folder), **files)), verbosity=0)
    for path, parameters in questions(Random(seed)):  # noqa: S311  it makes questions, not secrets
        kind = path.partition("/")[0]
        expected = (
            model.series(files, parameters, TODAY) if kind == "series" else model.tags(files, kind, parameters, TODAY)
        )

        status, reply = answered(path, {**parameters, "file_type": file_type})

        if isinstance(expected, str):
            assert (status, expected in reply.values()) == (400, True)
        else:
            assert status == 200
            assert in_order(reply) == in_order(expected if file_type == "json" else as_text(expected))


def answered(path: str, parameters: dict[str, str]) -> tuple[int, Any]:
    """Return the response of the view itself: the middleware would take half of the time."""
    address = f"/econ/{path}"
    request = RequestFactory().get(address, {"api_key": configured.CATALOGUE_OWN_KEY, **parameters})
    response = resolve(address).func(request)
    return response.status_code, read(response.content, parameters["file_type"])


def in_order(reply: dict[str, Any]) -> list[Any]:
    """The order of keys and attributes counts, too."""
    return [
        (name, [list(row.items()) for row in value] if isinstance(value, list) else value)
        for name, value in reply.items()
    ]


def as_text(reply: dict[str, Any]) -> dict[str, Any]:
    return {
        name: [as_text(row) for row in value] if isinstance(value, list) else str(value)
        for name, value in reply.items()
    }
