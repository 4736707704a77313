"""Error pages about signing in, and about what people save, freeze and follow."""

from econweb.dashboard.error_texts.error_text import ErrorText

ERRORS_OF_PEOPLE = {
    "no_view": ErrorText(400, "This cannot be saved", "{message}", "Open a view of this site and choose Share there."),
    "no_saved_view": ErrorText(
        404, "No saved view here", "At this address is no saved view that you may see.", "Ask the person that sent it."
    ),
    "no_pack": ErrorText(
        404,
        "No appendix pack here",
        "Of saved views, only a list has an appendix pack.",
        "Open the view: its files are in the menu Export.",
    ),
    "removed_view": ErrorText(
        410,
        "This saved view was removed",
        "“{title}” was removed on {day}.",
        "Its address is not used again. Ask the person that sent it for another one.",
    ),
    "not_restored": ErrorText(409, "This saved view stays removed", "{message}", "Then go back and choose Undo again."),
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
        "Open the copy and choose Check it: that says whether the data provider still sends the same rows.",
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
        "This link is not valid",
        "Part of the link from the mail is missing, or the site has a new key since then.",
        "Copy the whole link from the mail, or end the mails on the page Your news.",
    ),
    "not_followed": ErrorText(
        400,
        "This cannot be followed",
        "{message}",
        "Open a series, a list, a category or a release, and choose Follow there.",
    ),
    "forbidden": ErrorText(
        403,
        "Your session expired",
        "Nothing was changed. The form has expired, or was sent from another site.",
        "Reload the page and send the form again.",
    ),
    "older_form": ErrorText(403, "Send the form again", "It was opened before you signed in, or has expired."),
    "session_ended": ErrorText(
        403,
        "Your session has ended",
        "The form was not sent, and nothing was changed.",
        "Sign in, then send it again.",
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
    "name_of_before": ErrorText(
        403,
        "Your name was used here before",
        "A person of your name left views, copies or watches here. This site cannot tell whether it was you.",
        "Ask the administrator of this site to connect them with you.",
    ),
    "name_of_site": ErrorText(
        403,
        "This site itself uses your name",
        "No person may have the name that your organization gives you.",
        "Ask for another name there.",
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
        "People sign in with an account of their organization.",
        "Change your password there.",
    ),
    "too_many_forms": ErrorText(
        503,
        "Busy saving other changes",
        "Your changes are not saved yet.",
        "Send the form again in a few seconds.",
        retry_after=2,
    ),
    "provider_unavailable": ErrorText(
        503,
        "Sign-in does not work right now",
        "The sign-in of your organization is not responding.",
        "Try again in a minute. Pages that need no sign-in work.",
        retry_after=10,
    ),
    "too_many_sign_ins": ErrorText(
        503,
        "Too many sign-ins at once",
        "Other people are signing in right now. Your password was not checked.",
        "Sign in again in a few seconds.",
        retry_after=2,
    ),
    "too_many_tries": ErrorText(
        429,
        "Wait before you sign in",
        "There were too many failed tries for this account or from your network. This one was not checked.",
        "Try again in {seconds} seconds.",
    ),
}
