"""Read parts of a page as a user sees them."""

import csv
from typing import Protocol

from django.test import Client
from lxml import html

# The host of Django's test client.
HOST = "http://testserver"


class Answer(Protocol):
    @property
    def text(self) -> str: ...


def document(answer: Answer) -> html.HtmlElement:
    return html.fromstring(answer.text)


def words(answer: Answer, path: str) -> list[str]:
    """The text of each element, with every run of blanks as one."""
    return [" ".join(element.text_content().split()) for element in document(answer).xpath(path)]


def names(answer: Answer) -> list[str]:
    return words(answer, "//table//tbody//th/a")


def row_heads(answer: Answer) -> list[str]:
    return words(answer, "//tbody//th")


def links(answer: Answer) -> dict[str, str]:
    """Return the address of each link, by its words."""
    found = document(answer).xpath("//a[@href]")
    return {" ".join(link.text_content().split()): str(link.get("href")) for link in found}


def canonical(answer: Answer) -> str:
    """The path and query of the canonical link, which names the host as well."""
    link = str(document(answer).xpath("string(//link[@rel='canonical']/@href)"))
    assert not link or link.startswith(HOST)
    return link.removeprefix(HOST)


def alert(answer: Answer) -> str:
    return " ".join(words(answer, "//*[@role='alert']"))


def rows_of(client: Client, link: str) -> list[dict[str, str]]:
    """The rows of a CSV file, below its facts."""
    text = client.get(link).getvalue().decode()
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
