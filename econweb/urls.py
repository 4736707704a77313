"""Which room answers which path."""

from django.contrib import admin
from django.urls import include, path

from econweb import life
from econweb.dashboard.urls import urlpatterns as pages

urlpatterns = [
    # To include them would have each request looked up once more.
    *pages,
    path("admin/", admin.site.urls),
    path("econ/", include("econweb.catalogue.urls")),
    path("healthz", life.healthz, name="healthz"),
    path("readyz", life.readyz, name="readyz"),
    path("metrics", life.metrics_page, name="metrics"),
]
handler400 = "econweb.dashboard.problems.bad_request"
handler403 = "econweb.dashboard.problems.forbidden"
handler404 = "econweb.dashboard.problems.not_found"
handler500 = "econweb.dashboard.problems.server_error"
