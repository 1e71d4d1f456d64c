"""Test an HTML report in headless Chromium.
SPDX-License-Identifier: GPL-3.0-or-later

Usage: report-browser.py REPORT [SCREENSHOT-FOLDER]
       report-browser.py --diff PAGE
       report-browser.py --dhat VIEWER FILE
       report-browser.py --lacks REPORT
       report-browser.py --cards REPORT
       report-browser.py --threads REPORT
       report-browser.py --text REPORT VIEW

Without option and with --diff, each line printed is `pass NAME' or
`fail NAME: WHY'.  The other options print text: FILE in valgrind's viewer of
DHAT; the overview's list of missing information; its cards; its threads, and
the results of their links; a VIEW such as `overview' or `site/0'.  If the
browser does not start, the only line is `absent WHY'."""

import base64
import json
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

PATIENCE = 60                   # seconds to wait for an expected result


class Browser:
    def __init__(self, size=(1280, 800)):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"],
                                       stdout=subprocess.PIPE, text=True)
        try:
            self.start(size)
        except OSError:
            self.driver.terminate()
            self.driver.wait()
            raise

    def start(self, size):
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                break
        else:
            raise OSError("chromedriver does not start")
        self.base = "http://127.0.0.1:" + found[1]
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--hide-scrollbars",
                            "--window-size=%d,%d" % size]}
        answer = self.call("POST", "/session", {"capabilities": {
            "alwaysMatch": {"goog:chromeOptions": options,
                            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/session/" + answer["sessionId"]

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise OSError(json.load(error)["value"]["message"]) from None

    def open(self, url):
        # A URL that differs only after # would not load the page again.
        self.call("POST", "/url", {"url": "about:blank"})
        self.call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync",
                         {"script": script, "args": list(arguments)})

    def element(self, selector):
        found = self.call("POST", "/element",
                          {"using": "css selector", "value": selector})
        return "/element/" + next(iter(found.values()))

    def click(self, selector):
        self.call("POST", self.element(selector) + "/click", {})

    def type(self, selector, text):
        self.call("POST", self.element(selector) + "/value", {"text": text})

    def press(self, key):
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "k",
            "actions": [{"type": kind, "value": key}
                        for kind in ("keyDown", "keyUp")]}]})

    def text(self, selector):
        return self.run("const e = document.querySelector(arguments[0]);"
                        "return e === null ? '' : e.innerText;", selector)

    def wait(self, script, wanted):
        """Run SCRIPT until it returns WANTED or time is up; return the result."""
        end = time.monotonic() + PATIENCE
        while True:
            found = self.run(script)
            if found == wanted or time.monotonic() > end:
                return found
            time.sleep(0.05)

    def screenshot(self, file):
        pathlib.Path(file).write_bytes(
            base64.b64decode(self.call("GET", "/screenshot")))

    def complaints(self):
        return [entry["message"]
                for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


def check(name, found, wanted):
    print("pass " + name if found == wanted
          else "fail %s: %r, not %r" % (name, found, wanted), flush=True)


ROWS = "return [...document.querySelectorAll('.rows tbody tr .words a')]" \
    ".map((a) => a.textContent);"
BYTES = "return [...document.querySelectorAll('.rows tbody td:first-child')]" \
    ".map((a) => a.textContent.replace('\\u00a0', ' '));"
FLAME = "return [...document.querySelectorAll('.flame button')]" \
    ".map((b) => b.item.name + ' ' + b.item.sum[flame.by]).sort();"
GRAB = "grab (calls.c:14)"
INNER = "inner (calls.c:20)"


def check_table(browser, page):
    browser.open(page + "#table")
    check("table has all sites", browser.run(ROWS), [GRAB, INNER])
    check("table has bytes of sites", browser.run(BYTES), ["1.76 KiB", "903 B"])
    browser.click(".rows th:nth-child(6) button")
    check("click on a column title sorts", browser.run(ROWS), [INNER, GRAB])
    browser.click(".rows th:nth-child(6) button")
    check("second click reverses the order", browser.run(ROWS), [GRAB, INNER])
    check("focus stays on the title", browser.run(
        "return document.activeElement.closest('th').ariaSort"
        " + ' by ' + document.activeElement.textContent;"),
        "ascending by lifetime")
    browser.press("/")
    browser.type("#search", "OUTER")
    check("search finds callers", browser.wait(ROWS, [INNER]), [INNER])
    check("search prints the number of sites", browser.run(
        "return document.querySelector('[role=status]').textContent;"),
        "1 site")
    check("address has search and order", browser.run("return location.hash;"),
          "#table?q=OUTER&sort=lifetime&order=up")
    browser.type("#search", "\ue00c")
    check("Escape ends the search", browser.wait(ROWS, [GRAB, INNER]),
          [GRAB, INNER])
    browser.open(page + "#table?of=contexts&mark=cold")
    check("filter by mark", browser.run(BYTES), ["903 B", "800 B"])
    browser.open(page + "#table?q=/^(outer|scan)$/&of=contexts")
    check("search with a regular expression", browser.run(BYTES), ["903 B", "800 B"])


def check_flame(browser, page):
    everything = sorted(["all 2703", "main 2703", "build 1000", "grab 1000",
                         "outer 903", "inner 903", "scan 800", "grab 800"])
    browser.open(page + "#flame")
    check("flame graph", browser.wait(FLAME, everything), everything)
    browser.open(page + "#flame?up=callers&by=accesses")
    inverted = sorted(["all 50923", "grab 50020", "build 50000", "main 50000",
                       "inner 903", "outer 903", "main 903"])
    check("inverted flame graph, narrow items omitted",
          browser.wait(FLAME, inverted), inverted)
    browser.open(page + "#flame")
    browser.wait(FLAME, everything)
    browser.run("document.querySelector('.flame button').focus();")
    for key in "\ue015\ue015\ue014":
        browser.press(key)
    check("arrow keys move the focus",
          browser.run("return document.activeElement.item.name;"), "outer")
    check("Tab reaches one item", browser.run(
        "return [...document.querySelectorAll('.flame [tabindex=\"0\"]')]"
        ".map((b) => b.ariaLabel.split(',')[0]);"), ["outer"])
    browser.press("\ue007")
    zoomed = sorted(["all 2703", "main 2703", "outer 903", "inner 903"])
    check("Enter zooms", browser.wait(FLAME, zoomed), zoomed)
    browser.press("0")
    check("0 zooms out", browser.wait(FLAME, everything), everything)


def check_pages(browser, page):
    browser.open(page)
    check("overview is first", browser.text("nav a[aria-current]"),
          "Overview")
    check("total in the overview", browser.text(".card b").replace("\xa0", " "),
          "2.64 KiB")
    browser.click("section .list a")
    check("link leads to a site", browser.wait(
        "return document.querySelector('h2').innerText;", "grab"), "grab")
    check("link moves the focus",
          browser.run("return document.activeElement.id;"), "content")
    check("site has its contexts", browser.run(
        "return document.querySelectorAll('.context').length;"), 2)
    check("site has its marks", browser.run(
        "return [...document.querySelectorAll('#content > p .mark')]"
        ".map((m) => m.innerText);"), ["hot", "cold"])
    browser.call("POST", "/back", {})
    check("back returns to the overview", browser.wait(
        "return readState().view;", "overview"), "overview")
    for key, view in ("2", "flame"), ("3", "table"), ("4", "scatter"):
        browser.press(key)
        check("key " + key, browser.run("return readState().view;"), view)
    browser.open(page + "#scatter")
    check("one point for each context",
          browser.text(".row span").split(";")[0], "3 calling contexts")
    theme = browser.run("return document.documentElement.dataset.theme;")
    browser.click("#theme")
    check("button switches the theme", sorted([theme, browser.run(
        "return document.documentElement.dataset.theme;")]), ["dark", "light"])
    browser.open(page + "#site/99")
    check("invalid link", browser.text("#content"), "No such site.")


def check_source(browser, page):
    browser.open(page + "#source")
    check("source lines have their numbers", browser.run(
        "return [...document.querySelector('#line-14').children].slice(0, 2)"
        ".map((cell) => cell.innerText.replace('\\u00a0', ' '));"),
        ["14", "1.76 KiB"])
    check("source lines have numbers of calls", browser.run(
        "return document.querySelector('#line-28').children[4].innerText"
        ".replace('\\u00a0', ' ');"), "903 B")


def take_screenshots(browser, page, folder):
    for name in "overview", "flame", "table", "scatter", "site/0", "source":
        browser.open(page + "#" + name)
        time.sleep(0.5)
        browser.screenshot("%s/%s.png" % (folder, name.replace("/", "-")))


CHANGES = "return [...document.querySelectorAll('.changes summary .number')]" \
    ".map((n) => n.innerText.replace('\\u00a0', ' ') + ' ' + n.classList[1]);"


def check_diff(browser, page):
    browser.open(page)
    check("largest change is first", browser.run(CHANGES),
          ["\u2212800 B shrunk", "+500 B grown", "+500 B grown"])
    check("sums in the table", browser.run(
        "return document.querySelectorAll('tbody tr')[1].innerText"
        ".split(/\\s+/).slice(-2);"), ["B", "+11.1%"])
    browser.type("#search", "SCAN")
    check("search", browser.wait(CHANGES, ["\u2212800 B shrunk"]),
          ["\u2212800 B shrunk"])
    browser.open(page + "#by=accesses&status=added")
    check("deep link", browser.run(CHANGES), ["+20,000 grown"])
    browser.click("summary")
    check("context opens", browser.run(
        "return document.querySelectorAll('details[open] li').length > 1;"),
        True)


def show_dhat(browser, viewer, file):
    browser.open(pathlib.Path(viewer).as_uri())
    browser.type("input[type=file]", str(pathlib.Path(file).resolve()))
    browser.wait("return document.body.innerText.includes('Total:');", True)
    print(browser.text("body"))


def show_lacks(browser, report):
    browser.open(pathlib.Path(report).resolve().as_uri())
    print(browser.run("return [...document.querySelectorAll('section')]"
                      ".map((s) => s.innerText).find((text) =>"
                      " text.includes('What is missing'));"))


def show_cards(browser, report):
    browser.open(pathlib.Path(report).resolve().as_uri())
    for line in browser.run("return [...document.querySelectorAll('.card')]"
                            ".map((c) => [...c.childNodes].map((n) =>"
                            " n.textContent).join('|'));"):
        print(line.replace("\xa0", " "))
    for complaint in browser.complaints():
        print(complaint)


def show_text(browser, report, view):
    browser.open(pathlib.Path(report).resolve().as_uri() + "#" + view)
    print(browser.run("return document.body.innerText;").replace("\xa0", " "))
    for complaint in browser.complaints():
        print(complaint)


def show_threads(browser, report):
    page = pathlib.Path(report).resolve().as_uri()
    browser.open(page)
    items = browser.run("return [...document.querySelectorAll('section')]"
                        ".filter((s) => s.innerText.startsWith('Threads'))"
                        ".flatMap((s) => [...s.querySelectorAll('li')])"
                        ".map((li) => [...[...li.children].map((e) =>"
                        " e.textContent), li.firstChild.getAttribute('href')]);")
    for name, number, link in items:
        print(name, number.replace("\xa0", " "), sep="\t")
        if link is not None:
            browser.open(page + link)
            print("%s: %s" % (name, browser.run(
                "return document.querySelector('[role=status]').textContent;")))
    for complaint in browser.complaints():
        print(complaint)


def check_trend(browser, page):
    browser.open(page)
    check("most growth is first", browser.run(CHANGES),
          ["+150 B grown", "+32 B grown", "0 B undefined", "\u221254 B shrunk"])
    bars = "return [...document.querySelectorAll('svg.small')].map((s) =>" \
        " [...s.children].map((r) => r.getAttribute('class')).join(' '));"
    check("runs without a site are told apart", browser.run(bars),
          ["run run run", "absent absent run", "absent run absent",
           "run run absent"])
    check("total", browser.run("return document.querySelector('svg.large')"
                               ".getAttribute('aria-label');")
          .replace("\xa0", " "), "total: from 64 B to 192 B")
    browser.type("#search", "TWO")
    check("search", browser.wait(CHANGES, ["\u221254 B shrunk"]),
          ["\u221254 B shrunk"])
    browser.open(page + "#by=name")
    check("deep link", browser.run(
        "return [...document.querySelectorAll('summary .break')]"
        ".map((s) => s.innerText.split(' ')[0]);"),
          ["late", "one", "passing", "two"])
    browser.click("summary")
    check("site opens", browser.run(
        "return document.querySelector('details[open] table').innerText"
        ".split(/\\s*\\n\\s*/);"),
          ["1.0\tnot in this profile", "1.1\tnot in this profile",
           "1.2\t32\u00a0B"])


def try_trend(browser, page):
    check_trend(browser, pathlib.Path(page).resolve().as_uri())
    check("no browser messages", browser.complaints(), [])


def try_diff(browser, page):
    check_diff(browser, pathlib.Path(page).resolve().as_uri())
    check("no browser messages", browser.complaints(), [])


def try_report(browser, report, folder=None):
    page = pathlib.Path(report).resolve().as_uri()
    if folder is not None:
        take_screenshots(browser, page, folder)
        return
    check_pages(browser, page)
    check_table(browser, page)
    check_flame(browser, page)
    check_source(browser, page)
    check("no browser messages", browser.complaints(), [])


def main():
    uses = {"--dhat": show_dhat, "--lacks": show_lacks,
            "--cards": show_cards, "--text": show_text,
            "--threads": show_threads, "--diff": try_diff,
            "--trend": try_trend}
    arguments = sys.argv[1:]
    use = uses.get(arguments[0], try_report)
    if use is not try_report:
        del arguments[0]
    try:
        browser = Browser()
    except OSError as error:
        print("absent", str(error).split("\n")[0])
        return
    try:
        use(browser, *arguments)
    finally:
        browser.close()


if __name__ == "__main__":
    main()
