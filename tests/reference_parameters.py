"""The form of each page, which names the parameters of its links, and the parameters that views read without one."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.http import QueryDict

from econweb.dashboard.browse import query as browse
from econweb.dashboard.changes import query as changes
from econweb.dashboard.comparison.forms import SOURCE_PARAMETERS, CompareForm
from econweb.dashboard.freezing import query as freezing
from econweb.dashboard.id_check.query import IdCheckForm
from econweb.dashboard.news import query as news
from econweb.dashboard.occurrences import query as occurrences
from econweb.dashboard.overview import query as overview
from econweb.dashboard.parameters import LinkForm, Parser, RealtimeLinkForm
from econweb.dashboard.saved import query as saved
from econweb.dashboard.series.forms import SeriesForm
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.series_search import query as series_search
from econweb.dashboard.tag_list import query as tag_list
from econweb.dashboard.tags.forms import TagForm
from econweb.dashboard.watches import query as watches

# Takes the parameters of a link, and has `fields` and `errors`.
Form = Callable[[QueryDict], Any]


def of(parsers: Mapping[str, Parser], *left_out: str) -> Form:
    return partial(LinkForm, parsers={name: parse for name, parse in parsers.items() if name not in left_out})


FORMS: dict[str, Form] = {
    "browse": of(browse.PARSERS, "at"),
    "browse_categories": of(browse.PARSERS),
    "browse_releases": of(browse.PARSERS, "at"),
    "overview": of(overview.PARSERS),
    "tag_list": of(tag_list.PARSERS),
    "series_search": of(series_search.PARSERS),
    "id_check": IdCheckForm,
    "series_list": SeriesListForm,
    "series": SeriesForm,
    "series_code": SeriesForm,
    "tag": of(occurrences.PARSERS),
    "compare": CompareForm,
    "my_compare": CompareForm,
    "news": of(news.PARSERS),
    "news_feed": of(news.PARSERS, "kind", "offset"),
    "my_news": of(news.PARSERS),
    "my_watches": of(watches.PARSERS, "stopped", "since"),
    "saved": of(saved.PARSERS),
    "my_saved": of(saved.MY_PARSERS),
    "copies": of(freezing.PARSERS),
    "my_copies": of(freezing.PARSERS),
    "tags": TagForm,
    "tags_code": TagForm,
    "tag_names": partial(RealtimeLinkForm, parsers={}),
    "tag_profile": TagForm,
    "changes": of(changes.PARSERS),
    "changes_file": of(changes.PARSERS, "offset"),
}
PERIOD = ("realtime_start", "realtime_end")
WITHOUT_FORM: dict[str, tuple[str, ...]] = {
    "compare": tuple(SOURCE_PARAMETERS),
    "my_compare": tuple(SOURCE_PARAMETERS),
    "go": ("q", "kind", *PERIOD),
    "suggest": ("q", "kind", "fill", "beside", *PERIOD),
    "browser_suggestions": ("q",),
    "series_list": ("added",),
    "timemap": ("target",),
    "timegate": ("target",),
    "save_view": ("target",),
    "freeze": ("target",),
    "follow": ("target",),
    "frozen": ("against",),
    "my_frozen": ("against",),
    "my_feed": ("token",),
    "unsubscribe": ("token",),
    "sign_in": ("next",),
    "sign_in_callback": ("code", "iss", "state"),
}
# Any page or file of a view takes these.
ON_EVERY_PAGE = ("embed", "form", "renew", "comments")
