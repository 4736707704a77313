"""The account of a person that an OpenID provider has signed in: without a password, found by issuer and subject."""

import shlex
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, transaction
from django.utils import timezone

from econweb.accounts.models import MAX_PERSON, Identity, UsedSignIn
from econweb.accounts.names import OF_SITE, NameProblem, is_of_site, problem_of_site
from econweb.accounts.oidc.flow import Claims, Flow
from econweb.accounts.oidc.id_token import SignInRefused

# A browser may finish a sign-in for this long, and once.
FLOW_FOR = timedelta(minutes=10)
# Returns why no new account may have a name; None where it may.
FindProblem = Callable[[str], NameProblem | None]


class NameTaken(SignInRefused):
    """The name belongs to somebody else, or to the site, as far as this site can tell."""

    def __init__(self, problem: NameProblem) -> None:
        super().__init__(problem.sentence)
        self.code = problem.code


class AccountEnded(SignInRefused):
    """An administrator has ended the account."""

    code = "account_ended"


class ProviderBackend(ModelBackend):
    """Django's backend with SIGN_IN=oidc: it checks no password, and ends sessions that began with one."""

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        """Return whether a session of the account goes on; none may have a name of this site itself."""
        return super().user_can_authenticate(user) and not (user and is_of_site(user.get_username()))

    def authenticate(self, *_: object, **__: object) -> None:
        return None


def find_account(flow: Flow, claims: Claims, find_problem: FindProblem) -> User:
    """Return the account, created at the first sign-in; a sign-in is accepted once."""
    try:
        return _find_account(flow, claims, find_problem)
    except (IntegrityError, NameTaken):
        # Another sign-in, such as that of a second tab, may just have created the account.
        return _find_account(flow, claims, find_problem)


@transaction.atomic
def _find_account(flow: Flow, claims: Claims, find_problem: FindProblem) -> User:
    _use_once(flow)
    known = Identity.objects.filter(issuer=claims.issuer, subject=claims.subject).select_related("user").first()
    user = known.user if known else _create(claims, find_problem)
    if problem := problem_of_site(user.username):
        raise NameTaken(problem)
    if not user.is_active:
        raise AccountEnded("the account has ended")
    address = _mail_address(claims)
    if user.email != address:
        user.email = address
        user.save(update_fields=["email"])
    return user


def _use_once(flow: Flow) -> None:
    now = timezone.now()
    UsedSignIn.objects.filter(expires__lte=now).delete()
    digest = sha256(flow.state.encode()).hexdigest()
    _, is_new = UsedSignIn.objects.get_or_create(digest=digest, defaults={"expires": now + FLOW_FOR})
    if not is_new:
        raise SignInRefused("a sign-in that was finished before")


def _create(claims: Claims, find_problem: FindProblem) -> User:
    name = _choose_name(claims)
    taken = NameProblem("name_taken", "The name belongs to another account.") if _is_taken(name) else None
    problem = taken or find_problem(name)
    if problem and problem.code != OF_SITE:
        # Somebody else may have chosen this name at the provider: only an administrator can tell.
        remedy = shlex.join(["manage.py", "connect", name, claims.subject])
        problem = problem._replace(sentence=f"{problem.sentence} If it is the same person: {remedy}")
    if problem:
        raise NameTaken(problem)
    # Without a password that anybody could enter.
    user = User.objects.create_user(name)
    Identity.objects.create(issuer=claims.issuer, subject=claims.subject, user=user)
    return user


def _choose_name(claims: Claims) -> str:
    """Return the name that the person has at the provider, or the mail address, or the subject."""
    for given in (claims.values.get("preferred_username"), _mail_address(claims), claims.subject):
        name = User.normalize_username(given.strip()) if isinstance(given, str) else ""
        # The provider may tell `ａda` from `ada`, who has the role that the settings give to `ada`.
        is_spelt_so = name == given or _is_taken(name)
        if 0 < len(name) <= MAX_PERSON and name.isprintable() and is_spelt_so:
            return name
    raise SignInRefused("no name that can be shown")


def _is_taken(name: str) -> bool:
    return User.objects.filter(username__iexact=name).exists()


def _mail_address(claims: Claims) -> str:
    """Return the address only if the provider has verified it: EDITORS and ADMINS may name it."""
    address = claims.values.get("email")
    is_usable = isinstance(address, str) and len(address) <= MAX_PERSON and address.isprintable() and "@" in address
    return str(address) if is_usable and claims.values.get("email_verified") is True else ""
