"""Names, titles and tags of a made-up service for a site that is being served, written into its database.

python -m tests.browser.fill_index COUNT    the first COUNT categories, releases, tags and titles, most with long names
"""

import os
import sys

import django

LONG = "Averyveryverylongwordwithoutanyblankinit" * 3


def main(count: int) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "econweb.settings"
    django.setup()
    from django.utils import timezone  # noqa: PLC0415  only now are there settings

    from econweb.label_book.models import Label  # noqa: PLC0415
    from econweb.label_book.storing import save_labels  # noqa: PLC0415
    from econweb.search_index.tags import tag_index  # noqa: PLC0415
    from econweb.search_index.tags.blocks import Block, OwnerTags, TagFacts  # noqa: PLC0415
    from econweb.search_index.titles import title_index  # noqa: PLC0415
    from econweb.search_index.titles.places import Record  # noqa: PLC0415
    from econweb.upstream.queries import TAG_OWNERS  # noqa: PLC0415

    numbers = range(1, count + 1)
    names = {number: f"Zinc {number} {LONG if number % 7 == 1 else 'and other metals'}" for number in numbers}
    owners = [(kind, number) for kind in TAG_OWNERS for number in numbers]
    parents = {("category", number): number // 8 or None for number in numbers}
    save_labels(Label(kind=kind, number=n, name=names[n], parent=parents.get((kind, n))) for kind, n in owners)
    title_index.add((Record(f"Z{number}", name, "Monthly", units=LONG) for number, name in names.items()), "fetched")
    facts = {number: TagFacts(f"tag {name}".lower(), "gen", number % 90, name) for number, name in names.items()}
    facts |= {0: TagFacts("zinc", "gen", 50, LONG), -1: TagFacts("monthly", "freq", 90, None)}
    block = Block()
    for kind, number in owners:
        near = dict.fromkeys(range(number, min(number + 12, count) + 1), 2)
        block.add(kind, number, OwnerTags({0: 8, -1: 10} | near, facts, 10, timezone.now()))
    tag_index.write(block)


if __name__ == "__main__":
    main(int(sys.argv[1]))
