"""Forms of an account, in the words of this site."""

from typing import Any

from django import forms
from django.contrib.auth import forms as auth_forms

from econweb.accounts.people import may_sign_in


class SignInForm(auth_forms.AuthenticationForm):
    """Name and password; a wrong one does not tell which accounts exist."""

    error_messages = dict.fromkeys(
        ("invalid_login", "inactive"), "Name and password do not belong together. Check both, and the Caps Lock key."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"

    def confirm_login_allowed(self, user: Any) -> None:
        if not may_sign_in(user):
            raise self.get_invalid_login_error()


def rows_of(form: forms.BaseForm) -> list[dict[str, Any]]:
    """Return what a template needs of each field."""
    return [
        {
            "name": field.html_name,
            "label": field.label,
            "type": getattr(field.field.widget, "input_type", "text"),
            "value": "" if "password" in field.html_name else field.value() or "",
            "autocomplete": field.field.widget.attrs.get("autocomplete", ""),
            "errors": list(field.errors),
            "help": field.help_text,
        }
        for field in form
    ]
