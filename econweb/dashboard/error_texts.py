"""Every error page: status, title, message, advice and time until a retry. A message about a field is in its form."""

from typing import NamedTuple


class ErrorText(NamedTuple):
    """One kind of error. An empty message is filled in by the exception; `{names}` are filled in by the caller."""

    status: int
    title: str
    message: str = ""
    advice: str = ""
    # In seconds, for the header and the countdown.
    retry_after: int = 0
    # False where the service can only refuse the same request again.
    is_retryable: bool = True


WAYS_TO_SEARCH = (
    "You can also enter a series id (GNPCA), “category 125”, “release 53”, several ids separated by commas, "
    "or paste a link."
)
ERRORS = {
    # The classes of upstream/errors.py.
    "NotFound": ErrorText(404, "Not found", advice="Check the spelling, or search by name.", is_retryable=False),
    "NotInPeriod": ErrorText(
        404, "Not found in that period", advice="Choose another period, or none.", is_retryable=False
    ),
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
        "The data provider sent something we cannot read",
        advice="We show nothing rather than something wrong. Try again later.",
    ),
    # Faults in the input of the user.
    "invalid_field": ErrorText(400, "That cannot be looked up", "{message}", "Correct it below and try again."),
    "invalid_link": ErrorText(400, "That cannot be looked up", "{message}", "Correct it above and try again."),
    "empty_box": ErrorText(400, "Nothing to search for", "Type something to search for, such as GNPCA."),
    "no_match": ErrorText(
        404, "No match for “{text}”", "We found no category, release or series with that name.", WAYS_TO_SEARCH
    ),
    "other_site": ErrorText(
        404,
        "No match for “{text}”",
        "This address belongs to another site: {host} is neither this site nor its data provider.",
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
    "no_view": ErrorText(400, "This cannot be saved", "{message}", "Open a view of this site and choose Share there."),
    "no_saved_view": ErrorText(
        404, "No saved view here", "At this address is no saved view that you may see.", "Ask the person that sent it."
    ),
    "removed_view": ErrorText(
        410,
        "This saved view was removed",
        "“{title}” was removed on {day}.",
        "Its address is not used again. Ask the person that sent it for another one.",
    ),
    "one_source": ErrorText(
        400,
        "Nothing to compare",
        "A comparison needs at least two sources.",
        "Name them in the address, such as ?a=category:125&b=release:51.",
    ),
    # Frozen copies, feeds, what people follow, and assistants.
    "not_frozen": ErrorText(
        400, "This cannot be frozen", "{message}", "Open a view of this site and choose Share there."
    ),
    "copy_of_others": ErrorText(
        403,
        "You may not {verb} this copy",
        "“{title}” was frozen by {name}, who may {verb} it{until}.",
        "Ask an editor.",
    ),
    "never_frozen": ErrorText(
        404, "No frozen copy", "Nobody has frozen this view for everyone.", "Open the view itself."
    ),
    "no_frozen_copy": ErrorText(
        404, "No such frozen copy", "There is none with this id that you may see.", "Check the link."
    ),
    "no_rows": ErrorText(
        404,
        "No rows",
        "It was frozen where the rows of the data provider may not be stored, so it has digests and no rows.",
        "Open the copy and choose Check it: that says whether the service still sends the same rows.",
    ),
    "no_part": ErrorText(404, "No such part", "Only a copy of tags has this part.", "Open the copy itself."),
    "copy_withdrawn": ErrorText(410, "This frozen copy was withdrawn", "It was withdrawn{by} on {day}: {reason}"),
    "copy_expired": ErrorText(410, "This frozen copy has expired", "“{title}” was kept{until}."),
    "copy_damaged": ErrorText(
        503,
        "This frozen copy is damaged",
        "{message} Therefore it is not shown.",
        "Tell the administrator: a backup may have it.",
    ),
    "no_feed": ErrorText(
        404,
        "This feed has ended",
        "Its owner may have made a new address.",
        "Sign in, and make a new address on the page Your news.",
    ),
    "half_a_link": ErrorText(
        404,
        "This link is not complete",
        "Part of the link from the mail is missing.",
        "Copy the whole link from the mail.",
    ),
    "not_followed": ErrorText(
        400,
        "This cannot be followed",
        "{message}",
        "Open a series, a list, a category or a release, and choose Follow there.",
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
    ),
    "forbidden": ErrorText(
        403,
        "Your session expired",
        "Nothing was changed. The form has expired, or was sent from another site.",
        "Reload the page and send the form again.",
    ),
    "no_right": ErrorText(
        403,
        "This page is for others",
        "You are signed in as {name}, without the role {role}.",
        "Ask an administrator of this site for the role.",
    ),
    "sign_in_first": ErrorText(
        403,
        "Sign in first",
        "This site is read by people with an account.",
        "Open the site in a browser and sign in there.",
    ),
    "other_machine": ErrorText(
        403,
        "Only on the machine itself",
        "This site is set up for one person, who edits on the machine that it runs on.",
        "Open it there, or ask the administrator to set SIGN_IN.",
    ),
    "unnamed_by_proxy": ErrorText(
        403,
        "You are not signed in",
        "People sign in at the proxy of your organization, and it named nobody for this request.",
        "Sign in there and load the page again. If you have done so, ask the administrator.",
    ),
    "forged_person": ErrorText(
        400,
        "This request cannot name a person",
        "Only the proxy in front of this site may say who sends a request: {reason}.",
        "Ask the administrator to try manage.py check_proxy.",
    ),
    "changed_meanwhile": ErrorText(
        409,
        "A later change is in the way",
        "“{title}” stays as it is, because {reason}",
        "Undo the later change first, or edit the name.",
    ),
    "invitation_ended": ErrorText(
        404,
        "This invitation has ended",
        "A link to choose a password is valid once, and for a week.",
        "Ask the administrator for a new one.",
    ),
    "sign_in_ended": ErrorText(
        400,
        "This sign-in has ended",
        "A sign-in is valid once, for ten minutes, in the browser that began it.",
        "Sign in again.",
    ),
    "sign_in_refused": ErrorText(
        403,
        "You are not signed in",
        "The sign-in was refused, or its answer is not valid.",
        "Try again, or tell the administrator of this site when it happened.",
    ),
    "name_taken": ErrorText(
        403,
        "Your name is taken",
        "Another account of this site has your name, and may not be yours.",
        "Ask the administrator of this site to connect it with you.",
    ),
    "account_ended": ErrorText(
        403,
        "Your account has ended",
        "An administrator of this site has ended your account.",
        "Ask the administrator if you need it.",
    ),
    "no_passwords": ErrorText(
        404,
        "This site has no passwords",
        "People sign in at the service of their organization.",
        "Change your password there.",
    ),
    "not_found": ErrorText(
        404, "Page not found", "There is no page at this address.", "Check the address, or search above."
    ),
    "method_not_allowed": ErrorText(405, "Not allowed", "This address can only be read.", "Open it as a link."),
    "long_address": ErrorText(
        414, "Address too long", "The address is too long for a redirect.", "Ask for less at once."
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
    "too_many_forms": ErrorText(
        503,
        "Busy saving other changes",
        "Your changes are not saved yet.",
        "Send it once more in a moment.",
        retry_after=2,
    ),
    "provider_unavailable": ErrorText(
        503,
        "Sign-in does not work right now",
        "The service at which people sign in is not responding.",
        "Try again in a minute. Pages that need no sign-in work.",
        retry_after=10,
    ),
    "too_many_sign_ins": ErrorText(
        503,
        "Too many sign-ins at once",
        "Other people are signing in right now. Your password was not checked.",
        "Send it once more in a moment.",
        retry_after=2,
    ),
    "too_many_tries": ErrorText(
        429,
        "Wait before you sign in",
        "There were too many failed tries for this account or from your network. This one was not checked.",
        "Try again in {seconds} seconds.",
    ),
}

# Messages without a page of their own: of an exception that the dashboard raises, or inside a file.
NO_MESSAGE = "The data provider does not know it."
NO_RECORD_IN_PERIOD = "It may have no record in that period."
NO_DESCRIPTION = "There is no record of {series_id} for those dates."
NO_DESCRIPTION_IN_LIST = "There is no record for those dates."
NO_TURN_FOR_VERSIONS = "This site has reached its request limit. Load the page again in a minute."
# The end of a message about a series that is requested again after these seconds.
RETRIED_SOON = "Load the page again in {seconds:.0f} seconds."
NO_SERIES_FOUND = "None of these series could be loaded."
NO_TURN_YET = "Its turn has not come yet."
OLD_ANSWER = "The newest answer is of {moment} UTC, and too old."
SERIES_STILL_LOADING = "{loaded} of {total} series are loaded. {reason}"
SOURCES_STILL_LOADING = "{loaded} of {total} sources are loaded, and they are kept."
FILE_INCOMPLETE = "The file breaks off here. {reason}"
FILE_FAILED = "The file breaks off here, because this site failed to write the rest."
NO_WORKBOOK = "This site cannot write an Excel file at the moment. Choose another format, or try again later."
