"""Accounts in Django's admin, with their record."""

from hashlib import sha256
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, UserChangeForm
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from econweb.accounts.changes import Edit, State, record_changes
from econweb.accounts.people import role_of

CHANGED_MEANWHILE = (
    "Somebody else changed this account since the form was opened. Open it again, and enter your changes."
)
ENDED = "This account has ended, so no password can be set. Make it active first."

# What the record calls the columns that the form changes.
_COLUMNS = {
    "name": "username",
    "mail": "email",
    "active": "is_active",
    "first name": "first_name",
    "last name": "last_name",
    "staff": "is_staff",
    "superuser": "is_superuser",
}

# Roles are given by settings and commands.
admin.site.unregister(Group)
admin.site.unregister(User)


def state_of(user: User | None) -> State | None:
    if user is None:
        return None
    groups = ", ".join(sorted(user.groups.values_list("name", flat=True)))
    rights = user.user_permissions.values_list("content_type__app_label", "codename")
    permissions = ", ".join(sorted(f"{app}.{name}" for app, name in rights))
    columns = {name: getattr(user, column) for name, column in _COLUMNS.items()}
    return {**columns, "role": role_of(user).name.lower(), "groups": groups, "permissions": permissions}


class AccountForm(UserChangeForm):  # type: ignore[type-arg]  # generic in the stubs only
    """An account, and the digest of its state when the form was opened."""

    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = _digest_of(self.instance)

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        # Django's admin has begun the transaction that stores the account.
        stored = User.objects.select_for_update(no_key=True).filter(pk=self.instance.pk).first()
        if stored is None or _digest_of(stored) != self.cleaned_data.get("seen"):
            raise ValidationError(CHANGED_MEANWHILE)
        return cleaned


class _PasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]  # as above
    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        # Locked until the password is stored: a command may end the account at the same time. Not its key, which the
        # log of the admin refers to: two admins would wait for one another.
        stored = User.objects.select_for_update(no_key=True).filter(pk=self.user.pk, is_active=True).first()
        if stored is None and self.cleaned_data["set_usable_password"]:
            # Django's page shows no errors but those of fields.
            self.add_error("password1", ENDED)
        return cleaned

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)
        # Written alone: other columns may have changed since they were read.
        user.save(update_fields=["password"])
        return user


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Accounts as Django shows them, with a record of each change in its transaction."""

    form, change_password_form = AccountForm, _PasswordForm
    readonly_fields: ClassVar[tuple[str, ...]] = ("last_login", "date_joined")
    fieldsets = ((None, {"fields": ("seen", "username", "password")}), *(UserAdmin.fieldsets or ())[1:])

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        form.before = state_of(User.objects.filter(pk=obj.pk).first())
        columns = [*_COLUMNS.values()]
        if not obj.is_active:
            # As `manage.py sign_out NAME --left` does: an open invitation must not be valid again later.
            obj.set_unusable_password()
            columns.append("password")
        # Of a stored account nothing else: its person may have chosen a password since it was read.
        obj.save(update_fields=columns if change else None)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        user = User.objects.get(pk=form.instance.pk)
        _record(request, "changed" if change else "added", user, form.before, state_of(user))

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        _record(request, "deleted", obj, state_of(obj), None)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        with transaction.atomic():
            for user in queryset:
                _record(request, "deleted", user, state_of(user), None)
            super().delete_queryset(request, queryset)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Record that somebody set a password, never the password."""
        with transaction.atomic():
            before = self.get_object(request, unquote(id))
            response = super().user_change_password(request, id, form_url)
            after = self.get_object(request, unquote(id))
            if before and after and before.password != after.password:
                _record(request, "changed", after, {"sign-in": "as before"}, {"sign-in": "with another password"})
        return response


def _digest_of(user: User) -> str:
    return sha256(repr(state_of(user)).encode()).hexdigest()


def _record(request: HttpRequest, verb: str, user: User, before: State | None, after: State | None) -> None:
    person = request.user.get_username()
    record_changes(person, verb, [Edit("account", user.username, user.username, before, after)])
