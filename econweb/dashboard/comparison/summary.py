"""The result of a comparison, for the sentence above its table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from econweb.dashboard.comparison.series import Field
from econweb.dashboard.comparison.tags import ComparedTag, count_by_presence
from econweb.dashboard.display.fields import field_label


@dataclass(frozen=True)
class Summary:
    """Numbers of tags by where they are, and the tag that differs most; empty texts where no tag differs."""

    in_all: int
    # By the name of the source.
    only: Mapping[str, int]
    gap: str = ""
    sizes: tuple[str, ...] = ()
    # Says what is the same of each tag, where all sources have all tags and none differs.
    sameness: str = ""


def summarise_tags(rows: Sequence[ComparedTag], names: Mapping[str, str], has_shares: bool) -> Summary:
    counts = count_by_presence(rows, "".join(names))
    only = {name: counts[letter] for letter, name in names.items()}
    largest = largest_gaps(rows)[:1]
    if not largest or not largest[0].spread:
        is_same = counts["all"] == len(rows)
        return Summary(counts["all"], only, sameness=_describe_sameness(rows) if is_same else "")
    sizes = largest[0].sizes if len(names) == 2 else (max(largest[0].sizes), min(largest[0].sizes))
    return Summary(counts["all"], only, largest[0].name, tuple(_format_size(size, has_shares) for size in sizes))


def _describe_sameness(rows: Sequence[ComparedTag]) -> str:
    """Say what is the same of tags of equal sizes: their shares may be so without their counts."""
    has_same_counts = all(len({*row.counts}) == 1 for row in rows)
    return "the same numbers of series: nothing differs" if has_same_counts else "the same shares"


def largest_gaps(rows: Sequence[ComparedTag]) -> list[ComparedTag]:
    """Return the tags that every source has, those that differ most first."""
    in_all = [row for row in rows if row.presence_count == len(row.counts)]
    return sorted(in_all, key=lambda row: (-row.spread, row.name, row.group_id))


def _format_size(size: float, has_shares: bool) -> str:
    # A share below half a percent keeps its decimals, so that it does not look like none.
    return f"{size:.{0 if size >= 0.5 else 1}f}\N{NO-BREAK SPACE}%" if has_shares else f"{size:,.0f}"


def differing_fields(rows: Sequence[Field]) -> list[str]:
    return [field_label(row.name) for row in rows if row.is_marked]
