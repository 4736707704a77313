"""The things that belong to the name of a person. Whatever makes or renames an account asks here first."""

from django.contrib.auth.models import User
from django.db.models import Q

from econweb.accounts.models import ReadingToken
from econweb.accounts.names import OF_BEFORE, NameProblem, problem_of_site
from econweb.library.models import FrozenCopy, SavedView
from econweb.library.rights import count_owned
from econweb.watching.models import EndedWatch, Subscription, Watch

# They hold the account as well, so that a new account of the name has none of them; None where there was no account.
WITH_ACCOUNT = (Watch, EndedWatch, Subscription, ReadingToken)
# They have the name alone.
BY_NAME = (SavedView, FrozenCopy)


def problem_with_new_name(name: str) -> NameProblem | None:
    """Return why no new account may have the name; None where it may."""
    return problem_of_site(name) or _problem_with_things(name, count_owned(name) + count_without_account(name))


def problem_with_account(name: str) -> NameProblem | None:
    """Return why the account of the name may be another person's than what was left without an account."""
    return _problem_with_things(name, count_without_account(name))


def count_without_account(name: str) -> int:
    """Count the watches and subscriptions of a person whom a proxy named."""
    watches = Watch.objects.filter(person=name, account=None).count()
    chosen = Subscription.objects.filter(~Q(feed=None) | Q(has_mail=True), person=name, account=None)
    return watches + chosen.count()


def hand_over(user: User) -> None:
    """Give an account the watches and subscription that the person of its name has from the time without an account.

    Tokens are made again: that of an earlier person would read under this name.
    """
    for model in (Watch, Subscription):
        model.objects.filter(person=user.username, account=None).update(account=user.pk)


def rename(user: User, former: str) -> None:
    """Let everything that belongs to an account follow it to its new name; the caller does so in the transaction."""
    for model in WITH_ACCOUNT:
        # What a deleted account of the name left is nobody's.
        model.objects.filter(person=user.username).exclude(account=user.pk).delete()
        model.objects.filter(person=former, account=user.pk).update(person=user.username)
    for owned in BY_NAME:
        owned.objects.filter(person=former).update(person=user.username)


def _problem_with_things(name: str, count: int) -> NameProblem | None:
    if not count:
        return None
    return NameProblem(
        OF_BEFORE,
        f"An earlier person of the name {name} left {count} saved views, frozen copies, watches or subscriptions, "
        "and the account would have them, also those that are private.",
    )
