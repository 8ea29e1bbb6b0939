"""What the scenario says happened, played back in order."""


class Script:
    def __init__(self, run, trials):
        self.run = run
        self.trials = iter(trials)
        # Only an optimize run has iterations.
        self.scores = iter([iteration.get("score") for iteration in run.get("iterations", [])])
        self.trial = None

    def next_trial(self):
        self.trial = next(self.trials, None)
        if self.trial is None:
            raise RuntimeError("the framework asked for more trials than the scenario has")
        return self.trial

    def next_score(self):
        return next(self.scores)

    def factors(self, iteration):
        iterations = self.run["iterations"]
        return dict(iterations[iteration]["factors"]) if iteration < len(iterations) else None

    def passes(self, check, subject):
        # A framework that judged a trial only after it began the next one would get wrong answers here, and silently.
        if str(subject) != self.trial.get("response"):
            raise RuntimeError("the framework judges another response than the last one that it asked for")
        return self.trial["checks"][check] == "pass"

    def skips_after(self, view):
        """Whether the check that looks at this view fails the current trial in such a way that the rest is skipped."""
        checks = self.run["criteria"][view.criterion]["checks"]
        if self.trial["checks"].get(checks[view.check]["name"]) != "fail":
            return False
        later = [check for check in checks[view.check + 1 :] if check.get("input", self.trial["input"]) == self.trial["input"]]
        return any(self.trial["checks"][check["name"]] == "skip" for check in later)
