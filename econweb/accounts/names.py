"""The names that this site itself uses, which no person may have."""

import unicodedata
from typing import NamedTuple

LOCAL_EDITOR_NAME = "local editor"
# In the record of changes, behind the name of the user that calls a command.
AT_COMMAND_LINE = "at the command line"
# The codes of the error pages for such a name, and for one whose earlier person left something.
OF_SITE, OF_BEFORE = "name_of_site", "name_of_before"


class NameProblem(NamedTuple):
    """The reason why no new account may have a name: the code of an error page, and a sentence for administrators."""

    code: str
    sentence: str


def problem_of_site(name: str) -> NameProblem | None:
    """Return why nobody may have a name that the site itself uses; None for other names."""
    return NameProblem(OF_SITE, f"This site itself uses the name {name}.") if is_of_site(name) else None


def is_of_site(name: str) -> bool:
    """Return whether the site itself uses the name, or one of other case, blanks or compatibility forms."""
    plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return plain == LOCAL_EDITOR_NAME or plain.endswith(AT_COMMAND_LINE)
