"""Makes results of many scenarios out of results of a few: each is taken again under another name.

usage: many_results.py RESULTS.json COUNT > MANY.json"""

import json
import sys

COUNTED = {"pass": "passed", "fail": "failed", "unsupported": "unsupported", "not-judged": "notJudged"}


def main(file, count):
    results = json.load(open(file))
    few = results["results"]
    results["results"] = [dict(few[at % len(few)], subject=f"{few[at % len(few)]['subject']}-{at:05}") for at in range(count)]
    summary = dict.fromkeys(results["summary"], 0)
    for result in results["results"]:
        expected = {known["obligation"] for known in result.get("expected", [])}
        errors = {finding["obligation"] for finding in result["findings"] if finding["severity"] == "error"}
        summary["expectedFailures" if errors and errors <= expected else COUNTED[result["verdict"]]] += 1
        repeats = result.get("repeats", {})
        summary["flaky"] += sum(1 for times in repeats.values() if times) > 1
        for finding in result["findings"]:
            summary[finding["severity"] + "s"] += 1
        summary["obligationsJudged"] += result["obligations"]["judged"]
        summary["obligationsTotal"] += result["obligations"]["total"]
    results["summary"] = summary
    for suite in results.get("selection", []):
        suite["scenarios"] = count
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
