"""Measures the rows of docs/BENCHMARKS.md: Earshot, the limits of the machine, and the other players that are installed.

For each row the programs run in turn, so that other load on the machine affects all of them equally. A row has the medians and
their ratio. The scripts and the data are those of ../shared/perf. If the time is over, the remaining rows are not measured.
"""
import contextlib
import datetime
import http.server
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

RUNS = 3  # of a row


class Rows:
    def __init__(self, binary, perf, data, seconds):
        os.environ["PERF_DATA"] = str(data)
        for peer in ("CASTERO", "AETHERPOD", "FEEDPARSER", "GPODDER"):  # the path of this Python: a version manager's shim would cost 70 ms
            os.environ.setdefault(f"PERF_{peer}_PY", os.path.realpath(sys.executable))
        sys.path.insert(0, str(perf))
        import lib
        import peers
        import tui
        self.lib, self.peers, self.tui = lib, peers, tui
        self.binary, self.data = binary, data
        self.end = time.monotonic() + seconds
        self.rows = []
        lib.build()
        lib.WORK.mkdir(parents=True, exist_ok=True)

    # ---------------------------------------------------------------- helpers

    def add(self, what, unit, ours, others, target):
        """Adds a row. `others` are (name, value) pairs in the same unit. The row has the ratio to each of them."""
        def text(value):
            return self.lib.num(value) if value is not None else "–"
        compared = "; ".join(f"{name} {text(value)} ({ours / value:.2g} ×)" for name, value in others if value and value == value)
        self.row(what, f"{text(ours)} {unit}", compared or "–", target)

    def skip(self, what, why, target):
        """Adds a row that could not be measured."""
        self.row(what, f"not measured: {why}", "–", target)

    def row(self, *cells):
        self.rows.append(cells)
        print(f"| {' | '.join(cells)} |", flush=True)

    def home(self, name):
        home = self.lib.fresh(name)
        (home / "c/earshot").mkdir(parents=True)
        (home / "c/earshot/config.toml").write_text("refresh_on_start = false\n")
        return home

    def env(self, home):
        return {"HOME": str(home), "XDG_CONFIG_HOME": f"{home}/c", "XDG_DATA_HOME": f"{home}/d", "XDG_CACHE_HOME": f"{home}/k",
                "XDG_STATE_HOME": f"{home}/s", "LC_ALL": "C.UTF-8", "no_proxy": "127.0.0.1,127.0.0.0/8"}

    def run(self, home, *words):
        result = self.lib.run([self.binary, *map(str, words)], env=self.env(home), timeout=max(5, self.end - time.monotonic()))
        if result["rc"]:
            raise RuntimeError(f"{words[0]} ended with {result['rc']}: {result['out'][-300:]}")
        return result

    def median(self, programs, key="wall", runs=RUNS):
        """Runs the programs in turn. Each is a pair of its name and a function that runs it once. Returns pairs of name and median."""
        values = {name: [] for name, _ in programs}
        for _ in range(runs):
            for name, once in programs:
                # A program that failed once is not run again.
                if values[name] and values[name][-1] != values[name][-1]:
                    continue
                result = once()
                values[name].append(float("nan") if result.get("rc") else result[key])
                print(f"  {name}: {key} {values[name][-1]:.3f}", file=sys.stderr, flush=True)
        return [(name, self.lib.med(v)) for name, v in values.items()]

    def curl(self, urls, parallel):
        config = self.lib.WORK / f"curl-{parallel}.cfg"
        config.write_text("".join(f'url = "{url}"\noutput = "/dev/null"\n' for url in urls))
        command = ["curl", "-s", "--compressed", "--parallel", "--parallel-immediate", "--parallel-max", str(parallel), "-K", str(config)]
        return (f"curl × {parallel}", lambda: self.lib.run(command))

    # ---------------------------------------------------------------- rows

    def first_refresh(self):
        def ours():
            home = self.home("rows-first")
            self.run(home, "import", self.data / "s100.opml")
            return self.run(home, "refresh")

        def peer(name):
            def once():
                home = self.lib.fresh("rows-" + name)
                self.peers.prepare(name, home, "s100", 8)
                kw = {"home": home, "urls": self.data / "s100.urls", "opml": self.data / "s100.opml"}
                return self.lib.run(self.lib.fill(self.peers.PEERS[name]["first"], **kw), env=self.peers.env(name, home), timeout=60)
            return (name, once)
        urls = (self.data / "s100.urls").read_text().split()
        with self.lib.Server() as server:
            others = [peer(name) for name in ("newsboat", "castero") if self.peers.has(name)]
            (_, mine), *rest = self.median([("ours", ours), self.curl(urls, 32), *others])
            self.add("first refresh, 100 feeds × 300 episodes", "s", mine, rest, "≤ 4 × curl")
            server.ctl(latency=100)
            (_, mine), *rest = self.median([("ours", ours), self.curl(urls, 4)])
            self.add("first refresh, 100 ms latency, one host (4 connections)", "s", mine, [*rest, ("limit", 2.5)], "≤ 1.2 × limit")

    def many_hosts(self):
        with hosts(self.data / "feeds/s100", 100, 0.1) as urls:
            def ours():
                home = self.home("rows-hosts")
                opml = home / "hosts.opml"
                opml.write_text("<opml version='2.0'><body>" + "".join(f"<outline type='rss' xmlUrl='{url}'/>" for url in urls) + "</body></opml>")
                self.run(home, "import", opml)
                return self.run(home, "refresh")
            (_, mine), *rest = self.median([("ours", ours), self.curl(urls, 32)])
            self.add("first refresh, 100 ms latency, 100 hosts", "s", mine, rest, "≤ 4 × curl")

    def parsing(self):
        home = self.home("rows-parse")
        for name, label in (("large", "10 MB"), ("huge", "102 MB")):
            path = self.data / f"feeds/{name}.xml"
            sax = ("libxml2 without handlers", lambda: self.lib.run([str(self.lib.BIN / "sax"), str(path), "noop"]))
            (_, mine), *rest = self.median([("ours", lambda: self.run(home, "feed", path, "--timing")), sax], "inner_s")
            self.add(f"reading a feed of {label} to finished values", "s", mine, rest, "≤ 2 × libxml2")
        rss = self.run(home, "feed", self.data / "feeds/huge.xml", "--json")["rss"]
        self.add("`earshot feed --json`, 102 MB, peak memory", "MB", rss, [], "≤ 150")

    def large_library(self):
        home = self.home("rows-large")
        with self.lib.Server("--max-seconds", "600"):
            self.run(home, "import", self.data / "s500.opml")
            filled = self.run(home, "refresh")
        indexed = self.run(home, "search", "zanzibarite")
        size = sum(file.stat().st_size for file in (home / "d/earshot").glob("earshot.db*")) / 1e6
        self.add("filling a library with 150,000 episodes", "s", filled["wall"], [], "–")
        self.add("first search in that library, which indexes it", "s", indexed["wall"], [], "–")
        self.add("size of that library on disk (619 MB of notes)", "MB", size, [("FTS5 with its text", 833.0)], "≤ 600")
        everything = "age >= 0h or not age >= 0h"
        listed = self.run(home, "episodes", "--filter", everything, "--json")
        self.add("`earshot episodes --json` of that library", "s", listed["wall"], [], "–")
        self.add("`earshot episodes --json`, peak memory", "MB", listed["rss"], [], "flat")
        found = self.median([("ours", lambda: self.run(home, "search", "zanzibarite"))])
        self.add("`earshot search`, a rare word", "s", found[0][1], [], "–")

    def keys(self):
        home = self.home("rows-keys")
        with self.lib.Server("--max-seconds", "300"):
            self.run(home, "import", self.data / "s100.opml")
            self.run(home, "refresh")

        def press(command, environment, ready, opening):
            result = self.tui.keys(command, [ready], "<Down>", env=environment, goto=opening, repeat=60)
            return statistics.median(result["done"]) if result["done"] else None
        newsboat = None
        if self.peers.has("newsboat"):
            newsboat = self.peers.library("newsboat", "s100")
            command = [word.replace("{home}", str(newsboat)) for word in self.peers.PEERS["newsboat"]["tui"]]
        for what, ours, theirs in (("podcasts", None, None), ("episodes", "<Enter>", "<Enter>")):
            mine = press([self.binary], self.env(home), r"P\d\d\d", ours)
            others = []
            if newsboat:
                others.append(("newsboat", press(command, self.peers.env("newsboat", newsboat), "P000", theirs)))
            if mine is not None:
                self.add(f"a key in the list of {what}, until the screen is complete", "ms", mine, others, "≤ 5" if not ours else "≤ 2")

    def playing(self):
        audio = self.data / "audio/hour.mp3"
        if not audio.exists() or not shutil.which("mpv"):
            missing = "mpv" if audio.exists() else audio
            self.skip("memory while playing", f"{missing} is not there", "≤ 1.05 × mpv")
            return
        home = self.home("rows-play")

        def rss(command, environment):
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env=os.environ | environment, start_new_session=True)
            try:
                time.sleep(5)
                return {"rss": self.lib.proc(process.pid)[1]}
            finally:
                process.kill()
                process.wait()
        with self.lib.Server():
            url = f"{self.lib.BASE}/audio/hour.mp3"
            mpv = ["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=null", "--demuxer-max-bytes=8MiB", url]
            (_, mine), *rest = self.median([("ours", lambda: rss([self.binary, "play", url, "--ao", "null"], self.env(home))),
                                            ("mpv", lambda: rss(mpv, {}))], "rss")
            self.add("memory while playing", "MB", mine, rest, "≤ 1.05 × mpv")

    def measure(self):
        print("| | Earshot | others (ratio) | target |\n|---|---|---|---|")
        for part in (self.first_refresh, self.many_hosts, self.parsing, self.keys, self.playing, self.large_library):
            name = part.__name__.replace("_", " ")
            if time.monotonic() > self.end:
                self.skip(name, "the time limit was reached", "–")
                continue
            try:
                part()
            except (RuntimeError, OSError, KeyError, subprocess.SubprocessError, SystemExit) as error:
                self.skip(name, error, "–")
                print(f"bench: {name}: {error}", file=sys.stderr)

    # ---------------------------------------------------------------- the document

    def write(self, path, root):
        def version(command, line=0):
            try:
                return subprocess.run(command, capture_output=True, text=True, timeout=10).stdout.splitlines()[line].strip()
            except (OSError, IndexError, subprocess.SubprocessError):
                return None
        versions = [version([self.binary, "--version"]) and "Earshot " + version([self.binary, "--version"])]
        versions += [version(command) for command in (["newsboat", "--version"], ["mpv", "--version"], ["curl", "--version"])]
        versions.append("libxml2 " + (version(["xml2-config", "--version"]) or "?"))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
        lines = ["# Benchmarks", "",
                 "`make bench` writes this page. It compares the release build with the limits of the machine and with other players.",
                 "The programs run in turn. Each figure is a median. A ratio is Earshot's figure divided by the other one: below 1, Earshot needs less.", "",
                 f"{datetime.date.today()}, {self.lib.cpu_model()}, {memory:.0f} GB, {platform.system()} {platform.release()}, "
                 f"load {os.getloadavg()[1]:.1f}.", "",
                 *(["**The machine was busy with other work, so only the sizes and the memory are valid. Measure again on a quiet machine.**", ""]
                   if os.getloadavg()[1] > 2 * os.cpu_count() else []),
                 "; ".join(filter(None, versions)) + ".", "",
                 "| | Earshot | others (ratio) | target |", "|---|---|---|---|"]
        lines += [f"| {' | '.join(row)} |" for row in self.rows]
        path.write_text("\n".join(lines) + "\n")
        print(f"\nwritten to {path.relative_to(root)}")


@contextlib.contextmanager
def hosts(directory, count, latency):
    """Serves feeds on `count` addresses of 127.0.0.0/8, so that each has its own host. Returns their URLs. Linux only."""
    files = sorted(directory.glob("*.xml"))[:count]

    class Feeds(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            path = directory / self.path.strip("/")
            zipped = path.with_name(path.name + ".gz")
            body = (zipped if zipped.exists() else path).read_bytes()
            time.sleep(latency)
            self.send_response(200)
            self.send_header("Content-Type", "application/rss+xml")
            if zipped.exists():
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass
    servers = []
    try:
        for index in range(len(files)):
            server = http.server.ThreadingHTTPServer((f"127.0.1.{index + 1}", 0), Feeds)
            servers.append(server)
            threading.Thread(target=server.serve_forever, daemon=True).start()
        yield [f"http://127.0.1.{index + 1}:{server.server_port}/{files[index].name}" for index, server in enumerate(servers)]
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
