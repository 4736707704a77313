"""Every error page: status, title, message, advice and time until a retry. A message about a field is in its form."""

from econweb.dashboard.error_texts.error_text import ErrorText
from econweb.dashboard.error_texts.of_people import ERRORS_OF_PEOPLE

WAYS_TO_SEARCH = (
    "You can also enter a series id (GNPCA), “category 125”, “release 53”, “tag gdp”, several ids separated by commas, "
    "or paste a link."
)
# Advice in plain text.
CHECK, CORRECT = "Check the address.", "Correct the address and try again."
NAME_ONE = "Name its kind and number in the address, such as a=category:125."
ERRORS = ERRORS_OF_PEOPLE | {
    # The classes of upstream/errors.py.
    "NotFound": ErrorText(404, "Not found", advice="Check the spelling, or search by name.", is_retryable=False),
    "NotInPeriod": ErrorText(404, "Not found in that period", advice="Choose another period.", is_retryable=False),
    "WrongValue": ErrorText(
        400, "That cannot be looked up", advice="Change the value and try again.", is_retryable=False
    ),
    "Refused": ErrorText(
        502,
        "The data provider rejected this request",
        advice="Change it, or tell the administrator of this site.",
        is_retryable=False,
    ),
    "Busy": ErrorText(503, "Too many requests right now", advice="Wait a little, then load the page again."),
    "Unavailable": ErrorText(503, "The data provider is not responding", advice="Try again in a minute."),
    "BadReply": ErrorText(
        502,
        "The data provider sent an invalid reply",
        advice="Nothing of it is shown. Try again later.",
    ),
    # Faults in the input of the user.
    "invalid_field": ErrorText(
        400, "That cannot be looked up", "{message}", "Correct it below and try again.", plain_advice=CORRECT
    ),
    "unclear_field": ErrorText(400, "Which one do you mean?", "{message}", "Choose one below.", plain_advice=NAME_ONE),
    "invalid_link": ErrorText(400, "That cannot be looked up", "{message}", CORRECT),
    "empty_box": ErrorText(400, "Nothing to search for", "Type something to search for, such as GNPCA."),
    "no_match": ErrorText(
        404, "No match for “{text}”", "We found no category, release, series or tag with that name.", WAYS_TO_SEARCH
    ),
    "other_site": ErrorText(
        404,
        "No match for “{text}”",
        "This address belongs to another site: {host} is neither this site nor its data provider.",
        WAYS_TO_SEARCH,
    ),
    "provider_link": ErrorText(
        404,
        "No match for “{text}”",
        "This kind of link of the data provider cannot be read.",
        WAYS_TO_SEARCH,
    ),
    "no_index": ErrorText(
        404, "It is not known where “{text}” occurs", "{message}", "Open a category or release to see its tags."
    ),
    "no_tag": ErrorText(
        404,
        "No tag “{text}”",
        "No category or release that this site has read has this tag. {message}",
        "Check the spelling, or open a category and choose one of its tags.",
    ),
    "one_source": ErrorText(
        400,
        "Nothing to compare",
        "A comparison needs at least two sources.",
        "Name them in the address, such as ?a=category:125&b=release:51.",
    ),
    "for_assistants": ErrorText(
        405,
        "For assistants",
        "Programs send messages to this address (Model Context Protocol).",
        "Add it to the settings of your assistant. There is nothing to open here.",
    ),
    # The request itself.
    "bad_request": ErrorText(
        400,
        "Bad request",
        "The address or a header of this request cannot be used.",
        "Check the address, or search above.",
        plain_advice=CHECK,
    ),
    "foreign_host": ErrorText(
        400,
        "Bad request",
        "This site does not answer under the host name of this request.",
        "Check the address. Administrators: ALLOWED_HOSTS lists the names of the site.",
    ),
    "not_found": ErrorText(
        404,
        "Page not found",
        "There is no page at this address.",
        "Check the address, or search above.",
        plain_advice=CHECK,
    ),
    "method_not_allowed": ErrorText(405, "Not allowed", "This address can only be read.", "Open it as a link."),
    "long_address": ErrorText(
        414, "Address too long", "The address is too long for a redirect.", "Ask for less at once."
    ),
    "long_form": ErrorText(
        413,
        "Text or file too large",
        "This form takes at most {most} KiB. Nothing was changed, and the text is not kept.",
        "Go back, and send less at once.",
    ),
    "long_headers": ErrorText(
        431,
        "Request too large",
        "The headers of this request are longer than this site reads.",
        "Clear the cookies of this site.",
    ),
    # This site.
    "server_error": ErrorText(
        500,
        "Something went wrong on our side",
        "The fault is this site's, not yours.",
        "Try again. Reference: {request_id} (please include it if you report this).",
    ),
    "database_unavailable": ErrorText(
        503,
        "This site is not ready",
        "Its database cannot be used at the moment.",
        "Load the page again in a minute.",
        retry_after=5,
    ),
}
