"""An upgrade: the tables of an earlier version answer as a fresh load of the same files does."""

from array import array
from collections import defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from itertools import accumulate, chain

import msgspec
import pytest

from econweb.catalogue.counts import LAST_DAY
from econweb.catalogue.loading import conversion
from econweb.catalogue.models import Checkpoint, Edition, Owner, Tag
from econweb.startup.prepare_database import prepare_database
from tests.builders import a_series
from tests.catalogue.api_calls import Ask, Rows, a_catalogue
from tests.conftest import Loader

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
FIRST = date(2000, 1, 1)
Lists = dict[str, list[int]]


def many_lives(count: int = 700) -> dict[str, Rows]:
    """More series than a checkpoint holds, most of them with an end, some with a gap, many on one day."""
    files = a_catalogue({f"S{number}": [f"tag {number % 7}", f"tag {number % 30:02}"] for number in range(count)})
    files["series"] = []
    for number in range(count):
        start = FIRST + timedelta(days=number % 50)
        end = "9999-12-31" if number % 3 else f"{start + timedelta(days=40)}"
        row = a_series(id=f"S{number}", realtime_start=f"{start}", realtime_end=end)
        if number % 10 == 0:
            later = a_series(id=f"S{number}", realtime_start="2001-06-01")
            files["series"].append({**row, "realtime_end": f"{start + timedelta(days=9)}"})
            row = later
        files["series"].append(row)
    return files


def into_format_2(days: Lists, order: list[str]) -> list[object]:
    stretches = [sorted(days[name]) for name in order]
    at = array("I", accumulate(map(len, stretches), initial=0))
    return [array("i", chain.from_iterable(stretches)).tobytes(), at.tobytes()]


def into_format_3(days: Lists, order: list[str]) -> list[object]:
    first = min((day for own in days.values() for day in own), default=0)
    numbers, at = into_format_2({name: [day - first for day in own] for name, own in days.items()}, order)
    assert isinstance(numbers, bytes)
    return [first, "H", array("H", array("i", numbers)).tobytes(), at]


FORMATS: dict[str, Callable[[Lists, list[str]], list[object]]] = {"2": into_format_2, "3": into_format_3}


def make_old(files: dict[str, Rows], older: str) -> None:
    """Rewrite the tables as the version with that format would have left them."""
    lives: dict[str, list[int]] = {}
    for row in sorted(files["series"], key=lambda row: row["realtime_start"]):
        bounds = [date.fromisoformat(row[f"realtime_{bound}"]).toordinal() for bound in ("start", "end")]
        lives[row["id"]] = [lives.get(row["id"], bounds)[0], bounds[1]]
    names = list(Tag.objects.order_by("number").values_list("name", flat=True))
    begun: Lists = defaultdict(list)
    ended: Lists = defaultdict(list)
    for link in files["series_tags"]:
        start, end = lives[link["series_id"]]
        begun[link["tag_name"]].append(start)
        if end != LAST_DAY:
            ended[link["tag_name"]].append(end)
    for owner in Owner.objects.exclude(number=7):
        tags, gaps = msgspec.msgpack.decode(bytes(owner.history))
        lay_out = FORMATS[older]
        ended_of = {name: ended[name] for name in names}
        owner.history = msgspec.msgpack.encode([tags, lay_out(begun, names), lay_out(ended_of, names), gaps])
        owner.save()
    no_days = [b"", array("I", [0]).tobytes()]
    empty = [b"", *([no_days if older == "2" else [0, "H", *no_days]] * 2), []]
    Owner.objects.filter(number=7).update(history=msgspec.msgpack.encode(empty))
    Checkpoint.objects.all().delete()
    digest = Edition.objects.get().digest.partition("-")[2]
    Edition.objects.update(identity=f"of format {older}", digest=f"{older}-{digest}")


def answers(ask: Ask) -> list[tuple[int, object]]:
    days = [f"{FIRST + timedelta(days=number)}" for number in range(0, 100, 7)] + ["2001-05-31", "2013-01-01"]
    asked = [
        ask("release/tags", release_id="53", realtime_start=start, realtime_end=end)
        for start in days
        for end in days
        if start <= end
    ]
    return [*asked, ask("release/tags", release_id="53"), ask("category/tags", category_id="7")]


@pytest.mark.parametrize("older", FORMATS)
def test_converted_tables_answer_like_a_fresh_load(catalogue: Loader, ask: Ask, older: str) -> None:
    """A13: the start converts them."""
    files = many_lives()
    catalogue(**files)
    fresh = answers(ask)
    make_old(files, older)
    assert ask("release/tags", release_id="53")[0] == 503

    prepare_database()

    assert answers(ask) == fresh
    assert {status for status, _ in fresh} == {200}


def test_interrupted_conversion_keeps_old_tables(catalogue: Loader, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A13"""
    files = many_lives(60)
    catalogue(**files)
    fresh = answers(ask)
    make_old(files, "2")
    before = list(Owner.objects.order_by("pk").values())
    converted: list[Owner] = []
    convert = conversion._convert

    def stop(owner: Owner) -> None:
        if converted:
            raise KeyboardInterrupt
        converted.append(owner)
        convert(owner)

    with monkeypatch.context() as patch:
        patch.setattr(conversion, "_convert", stop)
        with pytest.raises(KeyboardInterrupt):
            conversion.convert_older()

    assert list(Owner.objects.order_by("pk").values()) == before
    assert (Checkpoint.objects.count(), Edition.objects.get().identity) == (0, "of format 2")
    conversion.convert_older()
    assert answers(ask) == fresh


def test_tables_of_current_format_are_not_converted(catalogue: Loader) -> None:
    catalogue(**many_lives(60))
    before = Edition.objects.get()

    conversion.convert_older()

    assert Edition.objects.get().identity == before.identity
