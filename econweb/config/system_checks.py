"""Warnings of `manage.py check --deploy` that this project answers otherwise."""

SILENCED = [
    "staticfiles.W004",  # startup/static_files.py creates the folder
    "admin.E408",  # sessions, users and messages are there for personal paths (serving/sign_in.py)
    "admin.E409",
    "admin.E410",
    "urls.W002",  # a route of the contract takes several slashes for one, so its pattern begins with them
    "security.W002",  # the content policy has frame-ancestors instead
    "security.W004",  # loopback needs no HTTPS
    "security.W005",  # other sites may use the subdomains
    "security.W008",  # the proxy that ends TLS redirects; on loopback there is none
    "security.W010",  # cookies are secure except on loopback
    "security.W016",
    "security.W021",  # the owner of the domain asks for preloading
]
