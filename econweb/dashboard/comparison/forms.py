"""The form of a comparison: a text box and a date for each source."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.text import Truncator

from econweb.accounts.people import Person
from econweb.dashboard.comparison.query import CompareQuery, compare_path
from econweb.dashboard.comparison.sources import ComparedSource, find_sources, find_titled_series, parse_entered_day
from econweb.dashboard.frozen.against_live import live_source
from econweb.dashboard.page_links import encode_query, with_query
from econweb.dashboard.parameter_checks import find_conflicts, two_values_message, unknown_value_message
from econweb.dashboard.parameters import LETTERS, LinkForm, Parser, choice, messages_of, number, text
from econweb.redaction import has_key
from econweb.upstream.queries import SORT_ORDERS

LABELS = dict(zip(LETTERS, ("First", "Second", "Third", "Fourth", "Fifth", "Sixth"), strict=True))
DATES = {letter: f"{letter}_date" for letter in LETTERS}
SOURCE_PARAMETERS = [*LETTERS, *DATES.values()]
# Besides the letters of the sources.
ORDER_BYS = ("name", "group_id", "difference", "ratio", "spread")
PARSERS: dict[str, Parser] = {
    "tag_group_id": text(100),
    # Their choices depend on the number of sources.
    "only": lambda given, name: given.strip(),
    "order_by": lambda given, name: given.strip(),
    "sort_order": choice(("", *SORT_ORDERS)),
    "offset": number(0, 999_999),
}
# Links that are offered for one text.
MAX_MEANINGS = 8
# Characters of a text in a message.
MAX_SHOWN = 60
ONE_OF_A_KIND = (
    "Compare a series with a series, or a category or release with another one. Compare a series list with a list."
)
TWO_LISTS = "Compare two series lists, not more."


@dataclass(frozen=True)
class SourceField:
    """The inputs of one source, with what the user entered."""

    letter: str
    text: str = ""
    day: str = ""
    is_invalid: bool = False
    # The messages about its date.
    day_error: tuple[str, ...] = ()
    # Links to what the text may mean, by their labels.
    meanings: tuple[tuple[str, str], ...] = ()
    # The content of the first source, which the others are compared with.
    beside: str = ""

    @property
    def label(self) -> str:
        return LABELS[self.letter]

    @property
    def date_name(self) -> str:
        return DATES[self.letter]

    @property
    def is_filled(self) -> bool:
        return bool(self.text or self.day)


class CompareForm(LinkForm):
    """Parameters of a comparison; an empty source moves the later ones up a letter."""

    def __init__(self, given: QueryDict, person: Person | None = None) -> None:
        """Read the sources of a person: without one, frozen copies for everyone alone."""
        super().__init__(given, PARSERS)
        self.person = person
        self.invalid: set[str] = set()
        for name in find_conflicts(given, SOURCE_PARAMETERS):
            self.add_error(None, two_values_message(name))
        chosen = dict(self._choose_sources())
        sources = list(chosen.values())
        if len({source.owner for source in sources}) == 1 and any(map(self._has_date_alone, LETTERS)):
            # The earliest first, so that a difference is the change since then.
            sources.sort(key=lambda source: source.day or date.max)
        if len({source.content for source in sources}) > 1:
            self.add_error(None, " ".join([*self._describe_readings(chosen), ONE_OF_A_KIND]))
        elif len(sources) > 2 and sources[0].content == "list":
            self.add_error(None, TWO_LISTS)
        self.cleaned_data["sources"] = dict(zip(LETTERS, sources, strict=False))
        self._check("only", ["", "all", *LETTERS[: len(sources)]])
        self._check("order_by", ["", *ORDER_BYS, *LETTERS[: len(sources)]])

    def is_only_unclear(self) -> bool:
        """Return whether each error is a text with several meanings, of which the user can choose one."""
        return bool(self.unclear) and len(messages_of(self)) == len(self.unclear)

    def has_key(self) -> bool:
        """Return whether the address of a source contains an API key."""
        return any(has_key(self._given(letter)) for letter in LETTERS)

    def query(self) -> CompareQuery:
        given = {name: value for name, value in self.cleaned_data.items() if value}
        return CompareQuery(**given, person=self.person)

    def source_fields(self) -> list[SourceField]:
        """Return the inputs as the user filled them in, with links where a text has several meanings."""
        return [self._build_field(letter) for letter in LETTERS]

    def offer_other_kind(self, letter: str) -> None:
        """Mark the field of a source that does not exist, and offer what else is known to have its number."""
        source = self.cleaned_data["sources"][letter]
        others = find_sources(source.id, str(source.day or "")) if source.id.isdecimal() and not source.copy else []
        known = [one for one in others if not one.is_guess]
        alike = [one for one in known if one.content == source.content and one.kind != source.kind]
        self.invalid.add(letter)
        self.unclear[letter] = alike

    def _build_field(self, letter: str) -> SourceField:
        meanings = tuple((one.label, self._link_with(letter, one)) for one in self.unclear.get(letter, ()))
        given = self._given(letter), self._given(DATES[letter])
        day_error = self._find_wrong_day(letter)
        return SourceField(letter, *given, letter in self.invalid and not day_error, day_error, meanings)

    def _given(self, name: str) -> str:
        return str(self.data.get(name, "")).strip()

    def _has_date_alone(self, letter: str) -> bool:
        return not self._given(letter) and bool(self._given(DATES[letter]))

    def _choose_sources(self) -> Iterator[tuple[str, ComparedSource]]:
        """Yield letter and source of each field that has one. A date alone means the first source on that date."""
        found = self._prefer_series(self._find_sources())
        chosen = choose_meanings(found, {letter: self._given(letter) for letter in found})
        single = [sources[0] for sources in chosen.values() if len(sources) == 1]
        # Where these cannot be compared, a choice does not help. The message says how each was read.
        is_asked = len({one.content for one in single}) == 1
        asked = {
            letter: sources
            for letter, sources in chosen.items()
            if len(sources) > 1 or (is_asked and sources[0].is_partial)
        }
        clear = [sources[0] for letter, sources in chosen.items() if letter not in asked]
        contents = {one.content for one in clear}
        if len(contents) == 1:
            asked = {letter: [one for one in asked[letter] if one.content in contents] for letter in asked}
        self.unclear = {letter: sources for letter, sources in asked.items() if sources}
        for letter in LETTERS:
            if letter in self.unclear:
                self._refuse(letter, f"Which “{self._given(letter)}” do you mean?")
            elif letter in asked:
                other = clear[0].undated_title
                words = f"“{self._given(letter)}” names nothing to compare with {other[0].lower()}{other[1:]}."
                self._refuse(letter, f"{words} {ONE_OF_A_KIND}")
            elif letter in chosen:
                yield letter, chosen[letter][0]
            elif self._has_date_alone(letter) and (day := self._entered_day(letter)) and len(chosen.get("a", ())) == 1:
                yield letter, self._on_day(chosen["a"][0], day)

    def _describe_readings(self, sources: Mapping[str, ComparedSource]) -> Iterator[str]:
        """Yield how each text was read."""
        for letter, source in sources.items():
            if text := self._given(letter):
                yield f"{LABELS[letter]}: “{Truncator(text).chars(MAX_SHOWN)}” {source.describe_reading()}."

    def _on_day(self, source: ComparedSource, day: date) -> ComparedSource:
        """Return the source on another day; that of a frozen copy is live."""
        return find_sources(live_source(source.copy), str(day))[0] if source.copy else replace(source, day=day)

    def _find_sources(self) -> dict[str, list[ComparedSource]]:
        found = {}
        for letter in LETTERS:
            try:
                if text := self._given(letter):
                    found[letter] = find_sources(text, self._given(DATES[letter]), self.person)
            except ValidationError as error:
                self._refuse(letter, str(error.message))
        return found

    def _prefer_series(self, found: dict[str, list[ComparedSource]]) -> dict[str, list[ComparedSource]]:
        """Read a name beside a series as the title of a series, and a part of a name as words of titles."""
        if not any(len(sources) == 1 and sources[0].kind == "series" for sources in found.values()):
            return found
        others = [letter for letter, sources in found.items() if all(one.content == "tags" for one in sources)]
        titled = {
            letter: find_titled_series(self._given(letter), self._given(DATES[letter]), found[letter][0].is_partial)
            for letter in others
        }
        return found | {letter: sources for letter, sources in titled.items() if sources}

    def _entered_day(self, letter: str) -> date | None:
        try:
            return parse_entered_day(self._given(DATES[letter]))
        except ValidationError as error:
            self._refuse(letter, str(error.message))
            return None

    def _find_wrong_day(self, letter: str) -> tuple[str, ...]:
        try:
            parse_entered_day(self._given(DATES[letter]))
        except ValidationError as error:
            return (str(error.message),)
        return ()

    def _refuse(self, letter: str, message: str) -> None:
        self.invalid.add(letter)
        self.add_error(None, f"{LABELS[letter]}: {message[0].lower()}{message[1:]}")

    def _link_with(self, letter: str, source: ComparedSource) -> str:
        """Return the link to the same form with this source chosen."""
        given = {name: self._given(name) for name in [*SOURCE_PARAMETERS, *self.fields]}
        chosen = given | {letter: str(source), DATES[letter]: ""}
        filled = {name: value for name, value in chosen.items() if value}
        return with_query(compare_path(self.person), encode_query(filled))

    def _check(self, name: str, known: list[str]) -> None:
        value = self.cleaned_data.get(name, "")
        if value not in known:
            self.add_error(name, unknown_value_message(name, value, known))


def filled_fields(sources: Mapping[str, ComparedSource]) -> list[SourceField]:
    """Return an input for each source, and empty ones for more."""
    filled = {letter: (one.entered(), str(one.day or "")) for letter, one in sources.items()}
    first, *_ = [one.content for one in sources.values()] or [""]
    return [
        SourceField(letter, *filled.get(letter, ("", "")), beside=first if letter != "a" else "") for letter in LETTERS
    ]


def choose_meanings(found: dict[str, list[ComparedSource]], texts: dict[str, str]) -> dict[str, list[ComparedSource]]:
    """Let the first clear source decide the kind of the others, where a number or a whole name leaves it open."""
    clear = (sources[0] for sources in found.values() if len(sources) == 1)
    first = next((one for one in clear if not one.is_partial), None)
    return {letter: _narrow(sources, first, texts[letter])[:MAX_MEANINGS] for letter, sources in found.items()}


def _narrow(sources: list[ComparedSource], first: ComparedSource | None, text: str) -> list[ComparedSource]:
    """Return the sources that can be compared with the first one, or only the one of its kind."""
    name = text.partition("@")[0]
    if first:
        sources = [one for one in sources if one.content == first.content] or sources
        same_kind = [one for one in sources if one.kind == first.kind]
        if len(same_kind) == 1 and (name.isdecimal() or same_kind[0].name.casefold() == name.casefold()):
            return same_kind
    # Any category may lack a name, but words that name one thing are no id of another.
    is_named = any(not (one.is_guess or one.is_partial) for one in sources)
    return [one for one in sources if not one.is_guess] if is_named and not name.isdecimal() else sources
