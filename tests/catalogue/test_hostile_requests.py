"""Hostile requests: any bytes, and SQL, in every parameter."""

import pytest
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from econweb.catalogue.answers.search import word_index
from econweb.catalogue.models import ApiKey, Checkpoint, Edition, Owner, SeriesVersion, Tag
from tests.catalogue.api_calls import Ask, a_catalogue, a_tag, read
from tests.conftest import Loader
from tests.processor_time import processor_seconds

pytestmark = pytest.mark.django_db(transaction=True)
OWN = {"series": "series_id=A", "category/tags": "category_id=125", "release/tags": "release_id=53"}
OF_TAGS = ["tag_names", "tag_group_id", "search_text", "limit", "offset", "order_by", "sort_order"]
EVERY = ["api_key", "file_type", "realtime_start", "realtime_end", "series_id", "category_id", "release_id"]
NAMES = st.sampled_from([*EVERY, *OF_TAGS, "x"])
BYTES = st.binary(max_size=12).map(lambda given: "".join(f"%{byte:02x}" for byte in given))


@pytest.fixture
def held(catalogue: Loader) -> None:
    tags = [a_tag("usa"), a_tag("été 100%", notes="a_b *")]
    catalogue(**a_catalogue({"A": ["usa", "été 100%"]}, tags))


@pytest.mark.slow
@pytest.mark.usefixtures("held")
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from([*OWN]),
    pairs=st.lists(st.tuples(NAMES, BYTES | st.text("01259-;xyz%+&=", max_size=8)), max_size=6),
    is_answerable=st.booleans(),
)
def test_parameters_accept_any_bytes_without_a_crash(
    api_key: str, path: str, pairs: list[tuple[str, str]], is_answerable: bool
) -> None:
    """B11"""
    needed = [f"api_key={api_key}", OWN[path]] if is_answerable else []
    query = "&".join([*(f"{name}={value}" for name, value in pairs), *needed])

    answer = Client().get(f"/econ/{path}?{query}")

    assert answer.status_code in {200, 400}
    assert read(answer.content, "json" if "json" in answer["Content-Type"] else "xml")


def test_repeated_search_word_costs_no_more_than_one() -> None:
    """B10: as many words as a query holds."""
    index = word_index((number, f"a{number} a{number + 1}") for number in range(10_000))

    def find(search_text: str) -> None:
        assert len(index.find(search_text)) == 10_000

    assert processor_seconds(lambda: find("a " * 4000)) < 100 * processor_seconds(lambda: find("a"))


CORPUS = [
    "'",
    '"',
    "1' OR '1'='1",
    "1) OR (1=1",
    "53 OR 1=1",
    "53;DROP TABLE catalogue_tag",
    "' UNION SELECT digest,label,1,1,1 FROM catalogue_apikey --",
    "usa' AND 1=1/*",
    "name DESC, (SELECT 1)",
    "1 AND SLEEP(5)",
    "x'); SELECT pg_sleep(5); --",
    "usa%' ESCAPE '!",
    "`name`",
    "CASE WHEN 1=1 THEN name ELSE created END",
    "A' AND (SELECT COUNT(*) FROM sqlite_master) > 0 --",
    "%s %(x)s {0} $1 ?1 :name",
]


def tables() -> list[list[tuple[object, ...]]]:
    return [
        sorted(model._default_manager.values_list(), key=repr)
        for model in (ApiKey, Checkpoint, Edition, Owner, SeriesVersion, Tag)
    ]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("path", OWN)
def test_sql_in_parameters_is_text_or_refused(ask: Ask, path: str) -> None:
    """B13: it finds nothing, changes nothing, and never becomes a part of a statement."""
    before, statements = tables(), []
    own, _, value = OWN[path].partition("=")

    def watched(execute: object, sql: str, *more: object) -> object:
        statements.append(sql)
        return execute(sql, *more)  # type: ignore[operator]

    with connection.execute_wrapper(watched):
        for name in [*EVERY, *OF_TAGS]:
            for words in CORPUS:
                status, reply = ask(path, **{own: value, name: words})
                used = name in {own, "api_key", "file_type", "realtime_start", "realtime_end"}
                used |= path != "series" and name in OF_TAGS

                if not used:
                    assert status == 200
                elif name in {"tag_names", "search_text"}:
                    assert (status, reply["tags"]) == (200, [])
                else:
                    assert status == 400

    assert tables() == before
    assert not [sql for sql in statements for words in CORPUS[2:] if words in sql]
