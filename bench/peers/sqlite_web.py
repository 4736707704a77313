"""sqlite-web's content page over the tags."""

from sqlite_web.sqlite_web import app, initialize_app

initialize_app(["tags.sqlite3"], read_only=True)
app.config["ROWS_PER_PAGE"] = 50
application = app
