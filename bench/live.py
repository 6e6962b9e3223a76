#!/usr/bin/env python3
"""How fast the workbench answers, in a headless Chromium: bench/live.py PAGE [EVERY [FIRST [WORD]]]

PAGE is the page's file or the address that -serve prints. Prints how long it takes until the page is usable, and until the
first states are there; then, of every EVERY-th shipped test (default: 20) from number FIRST on (0), of
those with WORD in their name, how long after a key its
states are on the screen, in milliseconds, the median of three keys: with an idle checker, and while the text before the key is
explained, which ends that. `check` is the part of it that the checker takes. All tests take half an hour. On a busy machine the
scheduler must prefer the browser: `setsid sh -c 'echo -20 > /proc/self/autogroup; exec bench/live.py PAGE'`, as root."""

import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
from browser import Browser  # pylint: disable=wrong-import-position

MEASURE = """(() => {
  const done = name => new Promise (resolve => new PerformanceObserver ((list, observer) => {
    if (list.getEntriesByName (name).length)
      {
        observer.disconnect ();
        resolve ();
      }
  }).observe ({ type: "mark" }));
  const frame = () => new Promise (resolve => requestAnimationFrame (() => setTimeout (resolve, 0)));
  let took = 0;
  const run = checker.run;
  checker.run = async function (...words) {
    const begin = performance.now (), answer = await run.apply (this, words);
    took = performance.now () - begin;
    return answer;
  };
  const key = async () => {
    await new Promise (resolve => setTimeout (resolve, 3 * SOON)); /* no key that is held down */
    const end = done ("rspcheck-checked"), begin = performance.now ();
    text.value += "\\n";
    text.dispatchEvent (new Event ("input"));
    await end;
    const check = took;
    await frame ();
    return [performance.now () - begin, check];
  };
  window.measure = async name => {
    const end = done ("rspcheck-checked");
    loadTest (name, shipped.tests[name]);
    await end;
    const median = all => all.sort ((a, b) => a[0] - b[0])[all.length >> 1];
    const later = async () => {
      await new Promise (resolve => setTimeout (resolve, LATER + 20));
      return key ();
    };
    return [...median ([await key (), await key (), await key ()]), ...median ([await later (), await later (), await later ()])];
  };
  return true;
}) ()"""


def row(name, values):
    values = sorted(values)
    print(f"{name:<28} median {statistics.median(values):5.0f}   90 % {values[len(values) * 9 // 10]:5.0f}   most {values[-1]:5.0f}")


def main():
    number = lambda n, default: int(sys.argv[n]) if len(sys.argv) > n else default
    page, every, first, word = sys.argv[1], number(2, 20), number(3, 0), sys.argv[4] if len(sys.argv) > 4 else ""
    address = page if page.startswith("http") else pathlib.Path(page).resolve().as_uri()
    with Browser() as browser:
        marks = []
        for _ in range(5):
            browser.open("about:blank")
            browser.open(address)
            browser.wait("performance.getEntriesByName ('rspcheck-checked').length > 0")
            marks.append(browser.run("['rspcheck-ready', 'rspcheck-checked'].map (name => performance.getEntriesByName (name)[0].startTime)"))
        row("usable", [mark[0] for mark in marks])
        row("first states", [mark[1] for mark in marks])
        browser.run(MEASURE)
        names = browser.run("Object.keys (shipped.tests).filter (name => name.endsWith ('.litmus') && name.includes (arguments[0])).sort ()", word)[first::every]
        found = {name: browser.run("Promise.race ([measure (arguments[0]), new Promise (resolve => setTimeout (() => resolve (null), 20000))])", name) for name in names}
    good = {name: values for name, values in found.items() if values}
    for k, what in enumerate(("a key, idle", "  check", "a key, while explaining", "  check")):
        row(what, [values[k] for values in good.values()])
    slow = sorted(good, key=lambda name: -good[name][0])
    print(len(good), "tests, slowest:", ", ".join(f"{name} {good[name][0]:.0f}" for name in slow[:20]))
    print("over 100 ms:", sum(values[0] > 100 for values in good.values()), "idle,", sum(values[2] > 100 for values in good.values()), "while explaining")
    print("not in 20 s:", ", ".join(name for name in found if name not in good) or "none")


if __name__ == "__main__":
    main()
