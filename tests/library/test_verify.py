"""`manage.py library verify`: every digest is recomputed, and each damaged copy is named."""

import zlib
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from econweb.library.canonical import digest, write_lines
from econweb.library.copies import withdraw
from econweb.library.freezing import freeze
from econweb.library.models import Body, FrozenCopy
from tests.library.builders import ADA, DAY, DRAFT, TARGET, a_content, a_saved_view, a_series_record, a_tag

pytestmark = pytest.mark.django_db


def verify() -> str:
    output = StringIO()
    call_command("library", "verify", stdout=output)
    return output.getvalue()


def refusal_after(change: object) -> str:
    output = StringIO()
    with pytest.raises(CommandError, match="1 of them is damaged"):
        call_command("library", "verify", stdout=output)
    return output.getvalue()


def store_body(lines: bytes) -> Body:
    packed = zlib.compress(lines)
    return Body.objects.create(sha256=digest(lines), packed=packed, size=len(packed))


def test_verify_finds_whole_copies_good() -> None:
    both = (a_tag("usa"), a_tag("nation", 5, group_id="gen"))
    freeze(ADA, DRAFT, a_content(*both))
    freeze(ADA, DRAFT, a_content(*both, view=both[:1], target=f"{TARGET}?tag_group_id=geo"))

    assert verify() == "0 saved views and 2 frozen copies were read; 0 of the copies have digests and no content.\n"


def test_verify_recomputes_the_digest_of_the_view() -> None:
    both = (a_tag("usa"), a_tag("nation", 5, group_id="gen"))
    copy = freeze(ADA, DRAFT, a_content(*both, view=both[:1], target=f"{TARGET}?tag_group_id=gen"))

    assert f"Frozen copy {copy.pk} of ada: The rows of its view do not match their SHA-256 digest.\n" in refusal_after(
        copy
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rows": 3}, "It has 2 rows instead of 3."),
        ({"rows": 1, "view_rows": 1}, "It has 2 rows instead of 1."),
        ({"form": 0}, "Its field form is invalid. Expected `int` >= 1."),
        ({"form": 2}, "Its canonical form 2 is not known"),
        ({"sha256": "0" * 64}, "Its content is that of another copy."),
        ({"view_sha256": "0" * 64}, "The rows of its view do not match their SHA-256 digest."),
        ({"kind": "series", "target": "/series/GNPCA/"}, "Its content is not of its kind."),
        ({"kind": "series"}, "it is no link of this kind: series."),
        ({"view_rows": 1}, "Its view has 2 rows instead of 1."),
        ({"view_rows": 3}, "Its view has 3 rows of 2, which cannot be."),
        ({"created": datetime(1, 1, 1, tzinfo=UTC)}, "Its field created is not between the years"),
        ({"fetched": datetime(9999, 12, 31, tzinfo=UTC)}, "Its field fetched is not between the years"),
        ({"service": "https://["}, "The address of its service is invalid."),
        ({"title": "Trade\u202e"}, "Its field title has a character that is not allowed."),
        ({"target": f"{TARGET}?limit=50"}, f"not the canonical link, which is {TARGET}"),
        ({"withdrawn": timezone.now()}, "It was withdrawn, and its content is still here."),
    ],
)
def test_verify_names_a_changed_row(fields: dict[str, object], words: str) -> None:
    freeze(ADA, DRAFT, a_content(a_tag("other")))
    copy = freeze(ADA, DRAFT, a_content())

    assert words in refusal_after(FrozenCopy.objects.filter(pk=copy.pk).update(**fields))


@pytest.mark.parametrize(
    ("packed", "words"),
    [
        (b"nonsense", "cannot be unpacked"),
        (zlib.compress(write_lines([a_tag("other")])), "Its content does not match its SHA-256 digest."),
        (zlib.compress(write_lines(a_content().records)) + b"more", "Its content does not match its SHA-256 digest."),
        (zlib.compress(write_lines(a_content().records))[:-6], "Its content does not match its SHA-256 digest."),
    ],
)
def test_verify_names_changed_content(packed: bytes, words: str) -> None:
    freeze(ADA, DRAFT, a_content())

    assert words in refusal_after(Body.objects.update(packed=packed, size=len(packed)))


def test_verify_finds_the_size_of_the_content_out() -> None:
    freeze(ADA, DRAFT, a_content())

    assert "Its content has not the size that is stored with it." in refusal_after(Body.objects.update(size=1))


def test_verify_takes_no_other_form_for_the_canonical_one() -> None:
    lines = write_lines(a_content().records)
    backwards = b"".join(reversed(lines.splitlines(keepends=True)))
    copy = freeze(ADA, DRAFT, a_content())
    fields = {"body": store_body(backwards), "sha256": digest(backwards), "view_sha256": digest(backwards)}

    assert "not in the canonical form" in refusal_after(FrozenCopy.objects.filter(pk=copy.pk).update(**fields))


def test_verify_names_a_damaged_saved_view() -> None:
    a_saved_view(target="/category/125/tags/?limit=50").save()

    assert "Saved view trade of ada: Its target is not the canonical link" in refusal_after(None)


def test_verify_finds_a_comparison_of_a_withdrawn_copy_good() -> None:
    copy = freeze(ADA, DRAFT, a_content())
    withdraw(ADA, copy, "A wrong category.")
    target = f"/compare/?a=frozen:{copy.pk}&b=category:125"
    a_saved_view(kind="compare", target=target).save()

    assert verify().startswith("1 saved view and 1 frozen copy were read; 1 of the copies has")


def test_verify_compares_the_ids_of_target_and_content() -> None:
    records = [a_series_record("GNPCA", DAY)]
    copy = freeze(ADA, DRAFT, a_content(kind="series", target="/series/GNPCA/", records=records, view=records))
    assert verify().endswith("0 of the copies have digests and no content.\n")

    FrozenCopy.objects.filter(pk=copy.pk).update(target="/series/UNRATE/")
    assert "Its target names other series than its content." in refusal_after(copy)


@pytest.mark.parametrize("sha256", ["0" * 64, "f" * 64])
def test_verify_compares_the_digest_of_a_part(sha256: str) -> None:
    both = (a_tag("usa"), a_tag("nation", 5, group_id="gen"))
    copy = freeze(ADA, DRAFT, a_content(*both, view=both[:1], target=f"{TARGET}?tag_group_id=geo"))

    changed = FrozenCopy.objects.filter(pk=copy.pk).update(view_sha256=sha256)
    assert "The rows of its view do not match their SHA-256 digest." in refusal_after(changed)
