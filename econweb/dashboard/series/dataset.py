"""A series as a Dataset of schema.org."""

from collections.abc import Mapping

from econweb.dashboard.page_links import provider_link, provider_name
from econweb.dashboard.sharing.datasets import describe_dataset, organization
from econweb.upstream.records import Series


def series_dataset(series: Series, url: str) -> Mapping[str, object] | None:
    described = f"{series.title}: {series.units}, {series.frequency}, {series.seasonal_adjustment}."
    more = {
        "identifier": series.id,
        "temporalCoverage": f"{series.observation_start}/{series.observation_end}",
        "variableMeasured": {"@type": "PropertyValue", "name": series.title, "unitText": series.units},
        # The day: the provider writes its own time zone.
        "dateModified": series.last_updated[:10],
        "publisher": organization(provider_name()),
        "sameAs": provider_link("series", series.id),
    }
    return describe_dataset(series.title, f"{described} {series.notes or ''}".strip(), url, more)
