"""The words by which notes name another series, the agency, or the code of a series there."""

import re

# Capital words that name no series, with or without a number such as `SNA2008`.
NO_SERIES = re.compile(
    r"(?:USA?|UK|EU|UN|NAICS|SICS?|ISIC|NACE|COICOP|SITC|HS|SNA|NIPAS?|ESA|BPM|ISO|ISIN|CUSIP|FIPS|CBSA|MSA"
    r"|BEA|BLS|FRED|ALFRED|FRB|FOMC|OECD|IMF|ECB|BIS|NBER|CBO|EIA|ISM|SA|NSA|SAAR|ID|IDS|CPI|PPI|CPS|CES|ACS|QCEW"
    r"|JOLTS|USD|EUR|GBP|JPY|FINAL|DATA|NOT|ONLY)[0-9]*"
    # Publications of the Federal Reserve and the Census Bureau.
    r"|[EGHZ][0-9]{1,2}|P[0-9]{2}"
)
_ID = r"(?P<id>[A-Z][A-Z0-9_]{1,24})"
# An id ends its clause, or a small word follows: after “NAICS-based” or “CPI weights” the word describes another one.
_END = (
    r"(?![\w/=&*%’'-])(?=\s*(?:$|[.,;:)\]\"”(<]|(?:and|or|plus|minus|less|for|from|in|on|as|at|since|until|with|which"
    r"|that|is|are|was|were|has|begin\w*|start\w*|effective|to|because|after|before|by|when)\b))"
)
_SERIES = r"(?:(?:the|a|new|old|former|discontinued|current|FRED) ){0,3}[Ss]eries:? "
_CODE = r"(?P<code>[A-Z0-9][A-Za-z0-9_.:/-]{2,39})"

REPLACED_BY = re.compile(r"\b(?:[Rr]eplaced|[Ss]uperseded|[Ss]ucceeded) by ")
REPLACES = re.compile(
    r"(?:\b[Rr]eplaces|\b[Ss]upersedes|\b[Ss]ucceeds|\b[Cc]ontinuation of|\b[Ss]uccessor (?:of|to)) (?!by\b)"
)
SUCCESSOR = re.compile(rf"\b[Ss]uccessor(?: series)?(?: is|:) (?:{_SERIES})?{_ID}{_END}")
SUCCESSOR_BEHIND = re.compile(rf"\b[Ss]eries {_ID}, (?:its|the|a) (?:successor|replacement)\b")
NAMED = re.compile(rf"(?:{_SERIES})?{_ID}{_END}")
NAMED_SERIES = re.compile(rf"\b[Ss]eries:? {_ID}{_END}")
ANOTHER = re.compile(rf"(?:,? (?:and|or|plus|minus|less)|,) (?:series )?{_ID}{_END}")
# Without the word “series” an id has a figure: other capital words are names.
SEE = re.compile(rf"\b[Ss]ee also:? (?=\w*[0-9]){_ID}{_END}")
# After an id of a list this begins another statement.
VERB = re.compile(r" (?:is|was|are|were|has|have|had)\b")
COUNTERPART = re.compile(
    r"\b(?:[Aa]djusted|[Uu]nadjusted|[Ss]easonal|[Dd]aily|[Ww]eekly|[Mm]onthly|[Qq]uarterly|[Aa]nnual)\b[^.;:]{0,40}"
    rf"\b(?:series|version|counterpart|equivalent)\b(?: (?:of|for) [^.;:,]{{1,60}})? is (?:series )?{_ID}{_END}"
)
FOR_SERIES_SEE = re.compile(rf"\b[Ff]or (?:the|an?) [^.;:]{{0,60}}\bseries\b[^.;:]{{0,60}}\bsee (?:also )?{_ID}{_END}")
# A code follows the colon, or has a figure in it.
SOURCE_CODE = re.compile(
    r"\b(?:(?:BEA )?[Aa]ccount [Cc]ode|[Ss]ource (?:[Cc]ode|ID)|[Ss]ource [Ii]ndicator|[Dd]escriptor ID|item ID"
    rf"|(?!FRED)[A-Z]{{2,9}} [Ss]eries (?:[Ii][Dd]|[Cc]ode))(?:(?P<mark>(?: is)?\s?[:=]\s{{0,3}})|(?: is)? ){_CODE}"
)
# A sentence without one of these has no named series.
CUE = re.compile(
    r"eries|placed by|[Rr]eplaces|[Ss]upersede|ucce(?:ss|ed)|ontinuation|version|counterpart|equivalent|ee also"
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n")
# What a statement is about: this series, or the sentence has no other subject.
SUBJECT = re.compile(r"\b[Ss]eries\b|(?:^|,? and )(?:It|This|Discontinued|it)\b")
OTHER_SUBJECT = re.compile(r"\b[A-Z][A-Z0-9_]+|https?:")
DENIED = re.compile(r"\b(?:not|never|nor|cannot|may|might|could|formerly|former)\b|n't\b")
# What an agency calls a series is no id of this provider.
AT_AGENCY = re.compile(r"\b(?:BLS|BEA|BIS|ECB|EIA|FRB|IMF|NBER|OECD|Census|Bureau|Board|Reserve|Statistics) $")
FORMERLY = re.compile(r"\b(?:[Ff]ormerly|[Ff]ormer|[Pp]reviously|[Nn]ot|called)\b[^,;]{0,30}$")
# Agencies that notes name by the code of the series there.
AGENCIES = {"BEA": "U.S. Bureau of Economic Analysis", "BLS": "U.S. Bureau of Labor Statistics"}
CODE_AT_AGENCY = re.compile(rf"\b(?P<agency>{'|'.join(AGENCIES)}) (?:[Aa]ccount [Cc]ode|[Ss]eries (?:ID|[Cc]ode))\b")
_WORD = r"(?:(?:[A-Z]\.){1,4}|[A-Z][\w&'’/-]{0,30}|of|the|for|and|on|in|de|&)"
# A name ends its clause; before a number it is that of a table or file.
AGENCY = re.compile(
    rf"(?:^|[.!?]\s)(?:Data )?Source(?: Agency)?: (?P<name>{_WORD}(?: {_WORD}){{0,11}})(?=\s*(?:[.,;(]|$))",
    re.MULTILINE,
)
