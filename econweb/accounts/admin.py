"""Accounts in Django's admin, with their record."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from econweb.accounts.changes import Edit, State, record_changes
from econweb.accounts.people import role_of

# Roles are given by settings and commands.
admin.site.unregister(Group)
admin.site.unregister(User)


def state_of(user: User | None) -> State | None:
    if user is None:
        return None
    groups = ", ".join(sorted(user.groups.values_list("name", flat=True)))
    role = role_of(user).name.lower()
    return {"name": user.username, "mail": user.email, "active": user.is_active, "role": role, "groups": groups}


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """Accounts as Django shows them, with a record of each change in its transaction."""

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        form.before = state_of(User.objects.filter(pk=obj.pk).first())
        super().save_model(request, obj, form, change)

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


def _record(request: HttpRequest, verb: str, user: User, before: State | None, after: State | None) -> None:
    person = request.user.get_username()
    record_changes(person, verb, [Edit("account", user.username, user.username, before, after)])
