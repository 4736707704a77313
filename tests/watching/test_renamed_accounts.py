"""The upgrade of a site where an account was renamed before a new name took its watches along."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from econweb.watching import subscriptions, watches
from econweb.watching.models import Watch
from tests.watching.news_builders import a_subscriber, follow

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]
upgrade = import_module("econweb.watching.migrations.0006_follow_new_names").follow_new_names


def test_upgrade_gives_watches_and_feed_back_to_a_renamed_account() -> None:
    a_subscriber("bob")
    first = follow("bob")
    User.objects.update(username="robert")
    User.objects.create(username="bob")
    upgrade(apps, None)

    assert [list(watches.watches_of(name)) for name in ("bob", "robert")] == [[], [first]]
    assert [subscriptions.subscription_of(name) is None for name in ("bob", "robert")] == [True, False]


def test_upgrade_keeps_what_was_chosen_again_under_the_new_name() -> None:
    a_subscriber("bob")
    follow("bob")
    User.objects.update(username="robert")
    again = follow("robert")
    Watch.objects.filter(pk=again.pk).update(target="/series/bob/")
    feed = subscriptions.renew_feed("robert")
    upgrade(apps, None)

    assert list(Watch.objects.all()) == [again]
    assert subscriptions.subscription_of_token(feed)
