"""A clock that only the scenario moves: latencies are exact, and take no time.

The framework measures a trial as the difference of two readings, with the service's call between them. Both readings come from
here, and the call moves the clock by the trial's latency.
"""

import datetime
import sys
import time
import types


class Clock:
    def __init__(self):
        self.restart()

    def restart(self):
        # An integer, so that no number of trials wears the latencies off; a float is made of it only where it is read.
        self.nanoseconds = 0
        self.origin = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)

    def advance(self, milliseconds):
        self.nanoseconds += round(milliseconds * 1_000_000)

    def seconds(self):
        return self.nanoseconds / 1e9

    def install(self, package):
        """Gives every loaded module of a package this clock in the place of `time` and `datetime`, whichever of them it uses."""
        clock = self

        class Instant(datetime.datetime):
            @classmethod
            def now(cls, tz=None):
                moment = (clock.origin + datetime.timedelta(microseconds=clock.nanoseconds / 1000)).astimezone(tz)
                moment = moment if tz else moment.replace(tzinfo=None)
                return cls.combine(moment.date(), moment.timetz())

        readings = {name: clock.seconds for name in ("perf_counter", "monotonic", "time")}
        readings.update({f"{name}_ns": lambda: clock.nanoseconds for name in readings})
        namespace = types.SimpleNamespace(**{**vars(time), **readings})
        originals = {id(getattr(time, name)): reading for name, reading in readings.items()}
        for name, module in list(sys.modules.items()):
            if name != package and not name.startswith(package + "."):
                continue
            for attribute, value in list(vars(module).items()):
                if value is time:
                    setattr(module, attribute, namespace)
                elif value is datetime.datetime:
                    setattr(module, attribute, Instant)
                elif id(value) in originals:
                    setattr(module, attribute, originals[id(value)])
