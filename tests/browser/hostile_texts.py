"""Texts that would run, link or restyle something where a page took them for markup."""

HOSTILE = {
    "script": "<script>window.hurt = 1</script>",
    "handler": '"><img src=x onerror="window.hurt = 1">',
    "tick": "' onmouseover='window.hurt = 1' x='",
    "scheme": '<a href="javascript:window.hurt=1" id="hurt">x</a>',
    "style": '<style>body { display: none }</style><b style="color: red" id="hurt">',
    "htmx": '<b hx-get="/nowhere/" hx-trigger="load" id="hurt">x</b>',
    "end": "</title></textarea></script></svg><script>window.hurt = 1</script>",
    "template": "{{ 7|add:7 }} {% now 'Y' %} ${window.hurt = 1}",
    "bidi": "abc\u202eFED\u2066ghi\u2069",
    "zero": "a\u200bb\ufeffc\u200dd",
    "long": "x" * 10_000,
}
ALL = " ".join(text for key, text in HOSTILE.items() if key != "scheme")
