"""The news of everything and of what a person follows, the choice how to hear them, and the end of mails."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from econweb.accounts.people import Person, Role
from econweb.dashboard.error_pages import problems
from econweb.dashboard.news.query import PARSERS, MyNewsQuery, NewsQuery
from econweb.dashboard.news.results import NewsList
from econweb.dashboard.page_links import page_link
from econweb.dashboard.parameter_checks import GET_OR_POST
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rendering.response_head import ATOM, other_form
from econweb.dashboard.rights import requires
from econweb.watching import subscriptions


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """List all news; what they name is public, and they do not tell who follows it."""
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = NewsQuery(**form.cleaned_data)
    if better := canonical_redirect(request, query.link()):
        return redirect(better)

    def revision() -> object:
        return NewsList(query, None).revision()

    return conditional_response(request, revision, lambda: _page(request, NewsList(query, None)))


@require_http_methods(GET_OR_POST)
@requires(Role.READER)
def my_news(request: HttpRequest, person: Person) -> HttpResponse:
    """List the news of what the person follows, and take the choice how to hear them elsewhere."""
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    found = NewsList(MyNewsQuery(**form.cleaned_data), person)
    if request.method != "POST":
        return _page(request, found, **_choices(person))
    if "new_feed" in request.POST:
        # Shown in this response alone: the token is stored nowhere, so a redirect could not show it.
        token = subscriptions.renew_feed(person.name)
        link = page_link("my_feed", token=token)
        return _page(request, found, feed_link=request.build_absolute_uri(link), **_choices(person))
    if "end_feed" in request.POST:
        subscriptions.end_feed(person.name)
    elif request.POST.get("mail") == "on":
        subscriptions.begin_mail(person.name)
    elif "mail" in request.POST:
        subscriptions.end_mail(person.name)
    return redirect(found.query.link())


# A mail program sends the form by itself (RFC 8058): it has no cookie and no token, and the link is signed.
@csrf_exempt
@require_http_methods(GET_OR_POST)
def unsubscribe(request: HttpRequest) -> HttpResponse:
    """Show a button that ends the mails, or end them; whether anybody got any does not show."""
    number = subscriptions.read_unsubscribe_link(request.GET.get("token", "")[:200])
    if number is None:
        return problems.error_response(request, "half_a_link")
    has_ended = request.method == "POST"
    if has_ended:
        subscriptions.unsubscribe(number)
    return render_page(request, "news/unsubscribe", {"has_ended": has_ended})


def _choices(person: Person) -> dict[str, Any]:
    """Return what the person has chosen, and what this site can offer."""
    return {
        "subscription": subscriptions.subscription_of(person.name),
        "may_have_mail": settings.MAIL_SERVER is not None,
        "address": subscriptions.mail_address(person.name),
    }


def _page(request: HttpRequest, found: NewsList, **more: Any) -> HttpResponse:
    context = {"news": found, "query": found.query, "person": found.person, "canonical": found.query.link(), **more}
    if not found.person:
        context["other_forms"] = [other_form(found.query.feed, ATOM)]
    return render_page(request, "news/page", context)
