"""Compares playback with mpv: time to the first sample, an uncached seek, CPU and memory while playing.

Imported by `bench`. Needs mpv, and ffmpeg to make an hour of mp3. Both players write raw samples into a named pipe
(mpv's ao=pcm). The reader of the pipe measures when they arrive. The file is served on loopback. For the seek the server is limited to
BANDWIDTH. Otherwise the players would buffer the whole file before the seek.
"""
import contextlib
import fcntl
import http.server
import json
import os
import re
import select
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

BANDWIDTH = 12_000_000  # bytes a second
TARGET = 3000  # seconds of the seek: quiet before 2900, loud from there on
RATE = 16000  # samples a second, one channel of 16 bits
PLAYING = 8.0  # seconds for CPU and memory
FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>A bench of sound</title><item><title>An hour</title>
<guid>1</guid><enclosure url="{address}/hour.mp3" length="1" type="audio/mpeg"/></item></channel></rss>"""
MPV = ["mpv", "--no-config", "--no-video", "--no-terminal", "--ytdl=no", "--load-scripts=no", "--audio-display=no"]
SMALL = ["--demuxer-max-bytes=8MiB", "--demuxer-max-back-bytes=4MiB"]


class Files(http.server.BaseHTTPRequestHandler):
    """Serves a directory, with byte ranges, at a limited rate."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.server.directory / self.path.strip("/")
        size, first = path.stat().st_size, 0
        if asked := re.match(r"bytes=(\d+)-", self.headers.get("Range", "")):
            first = int(asked[1])
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", "application/rss+xml" if path.suffix == ".xml" else "audio/mpeg")
        self.send_header("Accept-Ranges", "bytes")
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{size - 1}/{size}")
        self.send_header("Content-Length", str(size - first))
        self.end_headers()
        start, sent = time.monotonic(), 0
        with open(path, "rb") as file, contextlib.suppress(OSError):
            file.seek(first)
            while chunk := file.read(32768):
                self.wfile.write(chunk)
                sent += len(chunk)
                if (ahead := sent / BANDWIDTH - (time.monotonic() - start)) > 0:
                    time.sleep(ahead)
        self.close_connection = True

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def server(directory):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files) as it:
        it.directory = directory
        it.daemon_threads = True
        threading.Thread(target=it.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{it.server_port}"
        it.shutdown()


class Pipe:
    """Receives the audio output: a named pipe that holds an eighth of a second."""

    def __init__(self, directory):
        self.path = directory / "pipe"
        self.path.unlink(missing_ok=True)
        os.mkfifo(self.path)
        self.descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        with contextlib.suppress(AttributeError, OSError):
            fcntl.fcntl(self.descriptor, fcntl.F_SETPIPE_SZ, 4096)

    def read(self, seconds):
        """The data that arrives within that time. Empty if there is none."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.descriptor, 65536)
        except BlockingIOError:
            data = b""
        if not data:
            time.sleep(0.0005)  # the player has not opened it for writing yet
        return data

    def until_first_sample(self, since):
        """Milliseconds from `since` until the first sample. The header before it has 44 to 80 bytes."""
        seen = 0
        while time.monotonic() - since < 30:
            seen += len(self.read(0.5))
            if seen > 128:
                return (time.monotonic() - since) * 1000
        sys.exit("bench: no sound came within 30 s")

    def read_in_real_time(self, seconds):
        """Reads in real time, as a sound device does."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(len(self.read(0.1)) / 2 / RATE)

    def until_loud(self, since):
        """Milliseconds from `since` until the loud part arrives. Samples from before the seek are read as fast as possible."""
        while time.monotonic() - since < 60:
            data = self.read(0.5)
            samples = memoryview(data[:len(data) // 2 * 2]).cast("h")
            if any(abs(sample) > 8000 for sample in samples):
                return (time.monotonic() - since) * 1000
        sys.exit("bench: nothing of the loud part came within 60 s")

    def close(self):
        os.close(self.descriptor)
        self.path.unlink()


class Mpv:
    """Plain mpv, controlled through a socket."""

    def __init__(self, directory, arguments):
        self.socket = directory / "mpv.sock"
        self.socket.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [*MPV, f"--input-ipc-server={self.socket}", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.pid = self.process.pid

    def command(self, *words):
        with socket.socket(socket.AF_UNIX) as it:
            for _ in range(2000):
                with contextlib.suppress(OSError):
                    it.connect(str(self.socket))
                    break
                time.sleep(0.005)
            it.send(json.dumps({"command": words}).encode() + b"\n")
            it.recv(4096)

    def end(self):
        self.process.kill()
        self.process.wait()


class Earshot:
    """The full-screen player on a pseudo-terminal. The hour of mp3 is the only episode of its first podcast."""

    def __init__(self, bench, binary, environment, output):
        self.bench = bench
        self.pid, self.terminal = bench.open_screen(binary, environment | {"EARSHOT_AO": output}, b"bench of sound")

    def type(self, keys):
        os.write(self.terminal, keys)

    def drain(self):
        while select.select([self.terminal], [], [], 0)[0]:
            os.read(self.terminal, 65536)

    def end(self):
        self.bench.stop(self.pid, self.terminal)


def private_memory(pid):
    """MB of private dirty memory: pages that the process has written, without the pages of programs and libraries.
    None if the system does not report it."""
    with contextlib.suppress(OSError):
        if found := re.search(r"^Private_Dirty:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M):
            return int(found[1]) / 1000
    return None


def make_hour(directory):
    """Makes an hour of mp3 at a constant 64 kbit/s. It is quiet at first and loud at the end."""
    file = directory / "hour.mp3"
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                    f"aevalsrc='(0.05+0.6*gte(t,2900))*sin(2*PI*440*t)':s={RATE}:d=3600", "-b:a", "64k", str(file)], check=True)


def measure(bench, binary, runs, base):
    """Returns rows: the name, Earshot's values and plain mpv's values."""
    environment = bench.home(base / "sound")
    served = base / "served"
    served.mkdir()
    make_hour(served)
    with server(served) as address:
        (served / "feed.xml").write_text(FEED.format(address=address))
        bench.timed([binary, "add", f"{address}/feed.xml"], environment)
        url = f"{address}/hour.mp3"
        pcm = ["--ao=pcm", "--audio-format=s16", "--audio-channels=mono"]
        rows = {name: ([], []) for name in TITLES}
        for _ in range(runs):
            pipe = Pipe(base)
            start = time.monotonic()
            theirs = Mpv(base, [*pcm, f"--ao-pcm-file={pipe.path}", url])
            rows["play"][1].append(pipe.until_first_sample(start))
            theirs.end()
            pipe.close()

            pipe = Pipe(base)
            start = time.monotonic()
            ours = subprocess.Popen([binary, "play", url], env=environment | {"EARSHOT_AO": f"wav:{pipe.path}"},
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            rows["play"][0].append(pipe.until_first_sample(start))
            ours.kill()
            ours.wait()
            pipe.close()

            pipe = Pipe(base)
            theirs = Mpv(base, [*pcm, *SMALL, f"--ao-pcm-file={pipe.path}", "--idle"])
            theirs.command("get_property", "mpv-version")
            start = time.monotonic()
            theirs.command("loadfile", url)
            rows["load"][1].append(pipe.until_first_sample(start))
            pipe.read_in_real_time(1.5)
            start = time.monotonic()
            threading.Thread(target=theirs.command, args=("seek", TARGET, "absolute+exact")).start()
            rows["seek"][1].append(pipe.until_loud(start))
            theirs.end()
            pipe.close()

            pipe = Pipe(base)
            ours = Earshot(bench, binary, environment, f"wav:{pipe.path}")
            ours.type(b"l")
            time.sleep(0.3)
            ours.drain()
            start = time.monotonic()
            ours.type(b"\r")
            rows["load"][0].append(pipe.until_first_sample(start))
            pipe.read_in_real_time(1.5)
            ours.drain()
            start = time.monotonic()
            ours.type(f":seek {TARGET}\r".encode())
            rows["seek"][0].append(pipe.until_loud(start))
            ours.end()
            pipe.close()
            shutil.rmtree(base / "sound")  # forget the position, so that the next run starts at 0
            environment = bench.home(base / "sound")
            bench.timed([binary, "add", f"{address}/feed.xml"], environment)

        for run in range(max(1, runs // 2)):
            theirs = Mpv(base, [*SMALL, "--ao=null", url])
            ours = Earshot(bench, binary, environment, "null")
            ours.type(b"l\r" if run == 0 else b" ")
            time.sleep(3)
            before = [bench.process(it.pid)[1] for it in (ours, theirs)]
            end = time.monotonic() + PLAYING
            while time.monotonic() < end:
                time.sleep(0.05)
                ours.drain()
            for column, it in enumerate((ours, theirs)):
                memory, used = bench.process(it.pid)
                rows["cpu"][column].append((used - before[column]) / PLAYING * 100)
                rows["memory"][column].append(memory)
                if (written := private_memory(it.pid)) is not None:
                    rows["private"][column].append(written)
            ours.end()
            theirs.end()
    return rows


TITLES = {
    "play": ("`earshot play` / `mpv`, start to the first sample", "ms"),
    "load": ("Enter / `loadfile` in the running player, to the first sample", "ms"),
    "seek": (f"seek to {TARGET // 60}:00 of an hour, uncached, to the first sample", "ms"),
    "cpu": ("CPU while playing", "% of a core"), "memory": ("memory while playing, resident", "MB"),
    "private": ("private memory while playing", "MB"),
}


def report(bench, binary, runs, base):
    missing = [tool for tool in ("mpv", "ffmpeg") if shutil.which(tool) is None]
    if missing:
        print(f"\n(comparison with mpv: skipped, {' and '.join(missing)} not found)")
        return
    rows = measure(bench, binary, runs, base)
    print(f"\n### Sound, compared with mpv, {runs} runs; median, lowest–highest\n")
    print("| | Earshot | mpv | ratio |\n|---|---|---|---|")
    for name, (title, unit) in TITLES.items():
        ours, theirs = rows[name]
        if not ours:
            continue

        def cell(values):
            return f"{statistics.median(values):.3g} {unit} ({min(values):.3g}–{max(values):.3g})"
        print(f"| {title} | {cell(ours)} | {cell(theirs)} | {statistics.median(ours) / statistics.median(theirs):.2f} |", flush=True)
