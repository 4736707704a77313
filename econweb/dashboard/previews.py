"""What a view is, in one line, for whoever is sent its link."""

from econweb.dashboard.provenance import as_of
from econweb.dashboard.tag_results import TagResults


def tags_in_words(results: TagResults) -> str:
    source, page = results.source, results.page
    name = f", {source.name}" if source.name else ""
    period = as_of(page.realtime_start, page.realtime_end)
    tags = "tag" if page.count == 1 else "tags"
    words = f"{page.count:,} {tags} of {source.kind} {source.number}{name}, as of {period}"
    return f"{words}; top: {', '.join(tag.name for tag in results.frame.leaders)}" if page.count else words
