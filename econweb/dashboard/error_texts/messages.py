"""Messages without a page of their own: of an exception that the dashboard raises, or inside a file."""

TELL_ADMINISTRATOR = "Tell the administrator, or try again later."
CHECK_NUMBER = "Check the number, or search by name."
NO_RECORD_IN_PERIOD = "It may have no record in that period."
NO_DESCRIPTION = "There is no record of {series_id} for those dates."
NO_DESCRIPTION_IN_LIST = "There is no record for those dates."
# The service knows the id, and sends an empty list for today.
NO_RECORD_TODAY = "The data provider has no record of {series_id} today. It may have earlier ones."
NO_RECORD_TODAY_IN_LIST = "The data provider has no record of it today."
CHOOSE_EARLIER_DAY = "Choose an earlier day."
COVERAGE_OF_THIS_END = "Coverage and last update are those at the end of this version ({end}), not on {day}."
COVERAGE_OF_TODAY = "Coverage and last update are today's, not those of {day}."
COVERAGE_OF_END_OR_FETCH = (
    "Coverage and last update are those at the end of the version, or at the fetch if that is earlier, not on {day}."
)
# Of frozen copies, whose files never change; other notes say more.
COVERAGE_OF_COPY = "Coverage and last update are those at the end of the version, not on {day}."
POPULARITY_OF_THE_FETCH = "Popularity is that of the day of the fetch."
NO_TURN_FOR_VERSIONS = "This site has reached its request limit. Load the page again in a minute."
# The end of a message about a series that is requested again after these seconds.
RETRIED_SOON = "Load the page again in {seconds:.0f} seconds."
NO_RECORD_SENT = "The data provider sent no record of it."
NO_SERIES_FOUND = "None of these series could be loaded."
NO_TURN_YET = "Its turn has not come yet."
OLD_ANSWER = "The newest answer is of {moment} UTC, and too old."
SERIES_STILL_LOADING = "{loaded} of {total} series are loaded. {reason}"
SOURCES_STILL_LOADING = "{loaded} of {total} sources are loaded, and they are kept."
FILE_INCOMPLETE = "The file breaks off here. {reason}"
FILE_FAILED = "The file breaks off here, because this site failed to write the rest."
NO_WORKBOOK = "This site cannot write an Excel file at the moment. Choose another format, or try again later."
# Why shares of tags are left out; upstream/records.py has the rule.
NO_TOTAL = "frequencies and adjustments do not add up to the largest count"
