"""Accounts in Django's admin, with what they own: it goes along with a new name, and no other account gets it."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import User
from django.http import HttpRequest

from econweb.accounts.admin import AccountAdmin, AccountForm
from econweb.accounts.names import OF_BEFORE
from econweb.library.rights import count_owned
from econweb.ownership import problem_with_new_name, rename

KEPT = (
    "An account that owns some is not deleted. To end it and its password, clear Active. "
    "They go along when its name changes."
)

admin.site.unregister(User)


class _WithNewName(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """A form that refuses a new name by the rule of every other way to make an account."""

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        name = self.cleaned_data.get("username")
        # The name is still that of the row, or empty for a new account.
        if name and name != self.instance.username and (problem := problem_with_new_name(name)):
            is_left = problem.code == OF_BEFORE and not self.instance.pk
            remedy = f" If it is the same person: manage.py invite {name} --same-person" if is_left else ""
            self.add_error("username", f"{problem.sentence}{remedy}")
        return cleaned


class _ChangeForm(_WithNewName, AccountForm):
    pass


class _AddForm(_WithNewName, AdminUserCreationForm):  # type: ignore[type-arg]  # as above
    pass


@admin.register(User)
class OwnerAdmin(AccountAdmin):
    """Accounts, of which those that own views or copies can be renamed and ended, and not deleted."""

    form, add_form = _ChangeForm, _AddForm
    fieldsets = (*AccountAdmin.fieldsets, ("Library", {"fields": ("owned",), "description": KEPT}))
    readonly_fields = (*AccountAdmin.readonly_fields, "owned")

    @admin.display(description="saved views and frozen copies")
    def owned(self, user: User) -> int:
        return count_owned(user.username)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and (former := form.initial["username"]) != obj.username:
            rename(obj, former)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not (obj and count_owned(obj.username))
