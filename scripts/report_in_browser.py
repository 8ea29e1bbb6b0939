"""Opens HTML reports in headless Chromium and checks what only a browser can tell. Standard library only: chromedriver speaks HTTP.

usage: report_in_browser.py REPORT.html [BIG.html] --screenshots FOLDER
REPORT.html must hold text that tries to run a script. Exit 0 only if every check holds."""

import argparse
import base64
import contextlib
import json
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.request

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]

# The contrast of every text that is shown, against the background behind it.
CONTRAST = r"""
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const colour = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data]; };
const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const ground = e => { for (; e; e = e.parentElement) { const c = colour(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; }
  return colour(getComputedStyle(document.documentElement).colorScheme && matchMedia('(prefers-color-scheme: dark)').matches ? '#000' : '#fff'); };
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const seen = new Map(); let texts = 0;
while (walk.nextNode()) {
  const e = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || !e.checkVisibility({contentVisibilityAuto: false}) || e.closest('.vh, .skip, option')) continue;
  texts++;
  const style = getComputedStyle(e), size = parseFloat(style.fontSize);
  const a = light(colour(e.closest('svg') ? style.fill : style.color)), b = light(ground(e));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
  if (ratio < least) seen.set(`${e.tagName.toLowerCase()}.${e.className.baseVal ?? e.className}`, ratio.toFixed(2));
}
return {texts, low: [...seen]};
"""

STRUCTURE = r"""
const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(h => +h.tagName[1]);
return {
  title: document.title,
  scripts: document.scripts.length,
  images: document.images.length,
  handlers: [...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length,
  loaded: performance.getEntriesByType('resource').map(e => e.name),
  shown: document.body.textContent.includes('<script>'),
  firsts: levels.filter(level => level === 1).length,
  jumps: levels.filter((level, at) => at > 0 && level > levels[at - 1] + 1).length,
  unnamed: [...document.querySelectorAll('svg:not([aria-hidden]), [role=region], nav, input, select')]
    .filter(e => !e.getAttribute('aria-label') && !e.closest('label')).length,
  dead: [...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href').slice(1)).filter(id => !document.getElementById(id)),
  twice: [...document.querySelectorAll('[id]')].map(e => e.id).filter((id, at, all) => all.indexOf(id) !== at),
  language: document.documentElement.lang,
};
"""

FILTER = r"""
const shown = () => [...document.querySelectorAll('.subject')].filter(e => getComputedStyle(e).display !== 'none');
const all = shown().length;
document.getElementById('v-fail').click();
const failed = shown();
const right = failed.length < all && failed.length > 0 && failed.every(e => e.classList.contains('fail'));
document.getElementById('v-all').click();
const group = document.getElementById('g');
group.selectedIndex = 1;
const grouped = shown();
group.selectedIndex = 0;
return {right, narrowed: grouped.length < all && grouped.length > 0 && grouped.every(e => e.classList.contains('g0')), back: shown().length === all};
"""


class Browser:
    def __init__(self, port, profile):
        self.root = f"http://127.0.0.1:{port}"
        options = {"args": FLAGS + [f"--user-data-dir={profile}"], "binary": "/usr/bin/chromium"}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.root += f"/session/{answer['sessionId']}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)["value"]

    def quit(self):
        """Ends the browser, which outlives its driver otherwise."""
        with contextlib.suppress(OSError):
            self.call("DELETE", "")

    def open(self, path):
        self.call("POST", "/url", {"url": path.resolve().as_uri()})

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def cdp(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def look(self, width, height, scheme, media=""):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, file, width, scheme, media=""):
        """The whole page: as high a window as it takes, so that what is laid out only when seen is seen."""
        for _ in range(2):
            height = self.run("return document.documentElement.scrollHeight")
            self.look(width, min(height, 16000), scheme, media)
            time.sleep(0.2)
        shot = self.cdp("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(shot["data"]))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started(port):
    driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5).close()
            return driver
        except OSError:
            time.sleep(0.05)
    driver.kill()
    raise SystemExit("chromedriver did not start")


def check(browser, report, pictures):
    faults = []

    def hold(condition, what):
        if not condition:
            faults.append(what)

    for name, width, scheme in [("light", 1280, "light"), ("dark", 1280, "dark"), ("narrow", 390, "light")]:
        browser.look(width, 900, scheme)
        browser.open(report)
        browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        contrast = browser.run(CONTRAST)
        hold(contrast["texts"] > 100, f"{name}: only {contrast['texts']} texts are shown")
        hold(not contrast["low"], f"{name}: contrast below 4.5: {contrast['low']}")
        wide = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        hold(wide <= 0, f"{name}: the page is {wide} pixels wider than the window")
        browser.open(report)
        browser.picture(pictures / f"{name}.png", width, scheme)

    browser.look(1280, 900, "light")
    browser.open(report)
    page = browser.run(STRUCTURE)
    hold("owned" not in page["title"], "foreign text ran as a script")
    hold(page["shown"], "the text that tries to run a script is not shown as text")
    for name in ("scripts", "images", "handlers", "jumps", "unnamed"):
        hold(page[name] == 0, f"{name}: {page[name]}")
    for name in ("loaded", "dead", "twice"):
        hold(not page[name], f"{name}: {page[name]}")
    hold(page["firsts"] == 1 and page["language"] == "en", "the page needs one first heading and a language")
    filters = browser.run(FILTER)
    hold(all(filters.values()), f"filters: {filters}")
    key = {"type": "key", "id": "keys", "actions": [{"type": t, "value": "\ue004"} for t in ("keyDown", "keyUp")]}
    browser.call("POST", "/actions", {"actions": [key]})
    hold(browser.run("return document.activeElement.className") == "skip", "the first tab stop is not the skip link")
    log = browser.call("POST", "/se/log", {"type": "browser"})
    hold(not log, f"console: {[entry['message'] for entry in log]}")
    browser.look(794, 1123, "light", "print")
    browser.open(report)
    browser.picture(pictures / "print.png", 794, "light", "print")
    return faults


def opening(browser, page):
    """How long a big page takes to open. What it costs the browser's main thread says more than the clock where other programs run,
    too; the limits leave room for slow machines."""
    browser.call("POST", "/url", {"url": "about:blank"})
    browser.cdp("Performance.enable", timeDomain="threadTicks")
    browser.open(page)
    metrics = {entry["name"]: entry["value"] for entry in browser.cdp("Performance.getMetrics")["metrics"]}
    wall = browser.run("const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime") / 1000
    busy, elements = metrics["TaskDuration"], browser.run("return document.querySelectorAll('*').length")
    megabytes = page.stat().st_size / 1e6
    print(f"{page.name}: {megabytes:.1f} MB, {elements} elements, loaded in {wall:.1f} s, of which {busy:.2f} s of work")
    limits = [(megabytes, 10, "MB"), (wall, 30, "s to load"), (busy, 6, "s of work to load")]
    return [f"{page.name} takes {value:.1f} {unit}; {limit} is the limit" for value, limit, unit in limits if value >= limit]


def looked(args):
    port = free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        driver = started(port)
        browser = None
        try:
            browser = Browser(port, profile)
            faults = check(browser, args.report, args.screenshots)
            if args.big:
                browser.look(1280, 900, "light")
                faults += opening(browser, args.big)
            return faults
        finally:
            if browser:
                browser.quit()
            driver.terminate()
            driver.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("big", type=pathlib.Path, nargs="?")
    parser.add_argument("--screenshots", type=pathlib.Path, required=True)
    args = parser.parse_args()
    args.screenshots.mkdir(parents=True, exist_ok=True)
    try:
        faults = looked(args)
    except OSError as error:
        # A browser that hangs as it starts says nothing about the page.
        print(f"the browser did not answer ({error}); once more")
        faults = looked(args)
    for fault in faults:
        print(f"wrong: {fault}")
    print(f"screenshots are in {args.screenshots}")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
