"""From the button to the news: people hear of what they follow, through their filters, as long as they may read."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from econweb.upstream.records import Tag
from econweb.watching.ask import Reply
from econweb.watching.facts import tag_facts
from tests.dashboard.reading import words
from tests.dashboard.saved.people import OWNER, READER, client_of, let_people_sign_in
from tests.library.builders import a_tag
from tests.watching.looks import World

pytestmark = pytest.mark.django_db
TAGS = "/category/125/tags/"
ALL = [a_tag("usa"), a_tag("annual", group_id="freq"), a_tag("monthly", group_id="freq")]


@dataclass
class Tags(World):
    """A service with the tags of one category."""

    tags: tuple[Tag, ...] = (*ALL,)

    def ask(self, kind: str, key: str) -> Reply:
        self.asked.append(f"{kind}:{key}")
        return Reply(tag_facts(self.tags), self.now)


def news_of(client: Client) -> list[str]:
    return words(client.get("/me/news/"), "//*[@class='changed-field']")


def test_each_person_hears_what_the_filters_let_through(settings: Settings) -> None:
    let_people_sign_in(settings)
    ada, bob, world = client_of(OWNER), client_of(READER), Tags()
    ada.post("/me/follow/", {"target": f"{TAGS}?tag_group_id=freq"})
    bob.post("/me/follow/", {"target": TAGS})
    watcher = world.watcher()
    world.run(watcher, days=2)
    world.tags = (*ALL, a_tag("texas"))
    world.run(watcher, days=8)
    assert (len(news_of(ada)), len(news_of(bob))) == (0, 1)
    assert "texas" in news_of(bob)[0]

    world.tags = (*ALL[:2], a_tag("texas"))
    world.run(watcher, days=8)
    assert (len(news_of(ada)), len(news_of(bob))) == (1, 2)
    assert "monthly" in news_of(ada)[0]
    # One look for both.
    assert {*world.asked} == {"category:125"}


def test_nothing_is_looked_at_for_people_who_have_left(settings: Settings) -> None:
    let_people_sign_in(settings)
    world = Tags()
    client_of(OWNER).post("/me/follow/", {"target": TAGS})
    watcher = world.watcher()
    world.run(watcher, days=2)
    looks = len(world.asked)
    User.objects.update(is_active=False)
    # Its place in the queue ends within an hour, and no later time brings it back.
    world.run(watcher, minutes=61)
    world.now += timedelta(days=30)
    world.run(watcher, minutes=5)
    assert looks == len(world.asked) > 1

    User.objects.update(is_active=True)
    world.run(watcher, minutes=61)
    assert len(world.asked) > looks
