"""A folder with the seven files of a catalogue, each with its columns and one row to replace."""

from pathlib import Path

from econweb.catalogue.loading.file_format import write_file

ROWS = {
    "series": (
        "EXAMPLE1,2024-01-31,9999-12-31,Gross output of an example,1990-01-01,2024-01-01,Annual,A,Billions of Euros,"
        "Bil. of €,Not Seasonally Adjusted,NSA,2024-01-31 09:00:00+01,0,"
    ),
    "tags": "output,gen,What is produced,2024-01-31 09:00:00+01,0",
    "categories": "1,Examples,",
    "releases": "1,Yearbook of examples",
    "series_tags": "EXAMPLE1,output",
    "series_categories": "EXAMPLE1,1",
    "series_releases": "EXAMPLE1,1",
}


class FolderInUse(Exception):
    """The folder has files already, or is a file; the text names it."""


def write_template(folder: Path) -> None:
    """Write a catalogue that can be loaded; never into a folder that has files."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderInUse(f"{folder} is in use already: name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    for name, row in ROWS.items():
        write_file(folder, name, [row.split(",")])
