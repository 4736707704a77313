"""Lists of frozen copies find one by its id and its digests, and tell nothing of hidden ones."""

import pytest
from django.test import Client

from econweb.library.models import ME, FrozenCopy
from tests.dashboard.frozen.copies import freeze, view
from tests.dashboard.reading import words

pytestmark = pytest.mark.django_db
__all__ = ["view"]


@pytest.mark.parametrize("path", ["/frozen/", "/me/frozen/"])
def test_list_of_copies_finds_one_by_id_and_digest(client: Client, view: str, path: str) -> None:
    freeze(client, f"{view}?tag_group_id=geo", title="One")
    freeze(client, view, title="Other")
    copy = FrozenCopy.objects.get(title="One")

    def found(q: str) -> list[str]:
        return words(client.get(path, {"q": q}), "//tbody//th")

    assert copy.view_sha256 != copy.sha256
    for q in (copy.pk, copy.pk.upper(), copy.view_sha256, copy.view_sha256.upper(), f"one {copy.pk}"):
        assert found(q) == ["One"]
    assert sorted(found(copy.sha256)) == ["One", "Other"]
    assert found(copy.pk[:-1]) == found(copy.view_sha256[:20]) == found(f"other {copy.pk}") == []
    assert sorted(found("")) == ["One", "Other"]


def test_list_of_copies_does_not_tell_whether_a_hidden_one_exists(client: Client, view: str) -> None:
    freeze(client, view, title="Seen")
    freeze(client, f"{view}?tag_group_id=geo", title="Hidden", audience=ME)
    copy = FrozenCopy.objects.get(title="Hidden")

    for q in (copy.pk, copy.view_sha256):
        assert words(client.get("/frozen/", {"q": q}), "//tbody//th") == []
