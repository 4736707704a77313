"""List every figure with a limit, from the last run of each measurement.

python -m bench.summary             all of them, for docs/performance.md
python -m bench.summary --readme    the few that the README shows
"""

import json
import sys

from bench.bounds import BOUNDS, HEAD, Bound

README = (
    "a repeated page, against a bare view of the same bytes",
    "a page of 50 rows that nobody has opened, processor time",
    "first visit with style sheets and scripts, bytes sent",
    "6,000 rows as Excel, processor time",
    "a page that the browser knows (304), processor time",
)


def main() -> None:
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(BOUNDS.glob("*.json"))]
    bounds = [Bound(**bound) for run in runs for bound in run["bounds"]]
    if "--readme" in sys.argv:
        rows = {bound.what: bound for bound in bounds}
        print("| what | measured |\n|---|---:|")
        for what in README:
            print(f"| {what} | {rows[what].shown()} |" if what in rows else f"| {what} | not measured |")
        return
    if runs:
        print(f"Measured from {min(run['when'] for run in runs)} to {max(run['when'] for run in runs)}.\n")
    print("\n".join([HEAD, *(bound.row() for bound in bounds)]))


if __name__ == "__main__":
    main()
