"""Runs the job on a real cluster: a master and two workers on this machine.

    CANTLE_LONG=1 python -m unittest discover spark

needs pyspark and Java 17, and Go to build cantle (or CANTLE=path of it).
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

try:
    import pyspark
except ImportError:
    pyspark = None

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("CANTLE_SHARED", ROOT.parent / "shared"))
LIMIT = 600  # seconds for a job, on a machine that does other things too


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.home = os.environ["SPARK_HOME"]
        self.env = {**os.environ, "SPARK_WORKER_DIR": str(folder / "work")}
        port, ui = free_port(), free_port()
        self.url = f"spark://127.0.0.1:{port}"
        self.master = self.spark("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(ui))
        self.workers = [
            self.spark(f"worker{i}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", str(free_port()), "--cores", "1", "--memory", "1g", self.url)
            for i in range(2)
        ]
        wait(lambda: json.load(urllib.request.urlopen(f"http://127.0.0.1:{ui}/json/"))["aliveworkers"] == 2)

    def spark(self, name, *command):
        with open(self.folder / f"{name}.log", "wb") as log:
            return subprocess.Popen([f"{self.home}/bin/spark-class", *command], env=self.env, stdout=log, stderr=log)

    def stop(self):
        for p in [*self.workers, self.master]:
            p.terminate()
            p.wait()

    def submit(self, *arguments):
        with open(self.folder / "submit.log", "ab") as log:
            return subprocess.Popen(
                [f"{self.home}/bin/spark-submit", "--master", self.url, "--conf", "spark.ui.enabled=false", "--executor-memory", "1g", *arguments],
                env=self.env, stdout=subprocess.PIPE, stderr=log,
            )


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait(condition, seconds=120):
    end = time.time() + seconds
    while True:
        try:
            if found := condition():
                return found
        except OSError:
            pass
        if time.time() > end:
            raise TimeoutError
        time.sleep(0.1)


def processes():
    """Yields pid, parent and arguments of all processes."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            yield int(stat.parent.name), parent, (stat.parent / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            pass  # it has ended


@unittest.skipUnless(pyspark, "pyspark is not installed")
@unittest.skipUnless(os.environ.get("CANTLE_LONG"), "CANTLE_LONG is not set")
class JobTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # For the cluster and for the session of these tests, which reads its output.
        os.environ.update(SPARK_HOME=os.path.dirname(pyspark.__file__), SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="cantle-spark-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.cantle = cls.folder / "cantle"
        if "CANTLE" in os.environ:
            shutil.copy(os.environ["CANTLE"], cls.cantle)
        else:
            subprocess.run(["go", "build", "-o", cls.cantle, "./cmd/cantle"], cwd=ROOT, check=True)
        cls.cluster = Cluster(cls.folder)
        cls.addClassCleanup(cls.cluster.stop)
        from pyspark.sql import SparkSession

        cls.spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).config("spark.ui.showConsoleProgress", False).config("spark.driver.host", "127.0.0.1").getOrCreate()
        cls.addClassCleanup(cls.spark.stop)

    def start(self, *arguments):
        job = self.cluster.submit("--files", str(self.cantle), str(ROOT / "spark" / "cantle_spark.py"), *arguments)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.wait)
        self.addCleanup(job.kill)
        return job

    def finish(self, job):
        out, _ = job.communicate(timeout=LIMIT)
        self.assertEqual(job.returncode, 0, (self.folder / "submit.log").read_text()[-5000:])
        return json.loads(out.splitlines()[-1])

    def run_job(self, *arguments):
        return self.finish(self.start(*arguments))

    def rows(self, table):
        """Returns a table as JSON, fields without a value left out."""
        return [json.loads(line) for line in self.spark.read.parquet(str(table)).toJSON().collect()]

    def records(self, output):
        records = self.rows(output / "chunks")
        for r in records:
            if "meta" in r:
                r["meta"] = json.loads(r["meta"])
        return records

    def chunk(self, folder, *flags):
        """Returns what cantle chunk makes of a folder."""
        done = subprocess.run([self.cantle, "chunk", "--all", *flags, folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertIn(done.returncode, (0, 1))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def assert_same(self, got, want):
        place = lambda r: (r["doc_id"], r["chunk_index"], r["type"])
        got, want = sorted(got, key=place), sorted(want, key=place)
        self.assertEqual(len(got), len(want))
        for g, w in zip(got, want):
            self.assertEqual(g, w)

    def write(self, folder, **documents):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in documents.items():
            (folder / f"{name}.md").write_text(text)

    def test_records_are_those_of_chunk(self):
        folder, output = self.folder / "mixed", self.folder / "mixed-out"
        shutil.copytree(ROOT / "testdata" / "docs", folder)
        (folder / "with space é.md").write_text("---\ntitle: T\nn: [1, 2.5]\n---\n# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
        (folder / "empty.md").write_text("")
        (folder / "latin.txt").write_bytes(b"caf\xe9 au lait\n")
        (folder / "binary.md").write_bytes(b"\0\1\2")
        flags = ["--max-tokens", "120", "--overlap", "20", "--meta", "n=1", "--parents", "400"]
        summary = self.run_job("--input", str(folder), "--output", str(output), "--", *flags)
        want = self.chunk(folder, *flags)
        self.assert_same(self.records(output), want)
        self.assertEqual([(e["doc_id"], e["error"][:8]) for e in self.rows(output / "errors")], [("binary.md", "not text")])
        self.assertEqual((summary["chunks"], summary["errors"]), (len(want), 1))
        self.assertEqual(json.loads((output / "summary.json").read_text()), summary)

    def test_corpora(self):
        for name in ("markdown", "markdown-zh", "filings"):
            folder, output = SHARED / "corpora" / name, self.folder / f"{name}-out"
            if not folder.exists():
                self.skipTest("the corpora are not here")
            with self.subTest(name):
                self.run_job("--input", str(folder), "--output", str(output), "--partition-mib", "4")
                want = [r for r in self.chunk(folder) if not any(part.startswith((".", "_")) for part in r["doc_id"].split("/"))]
                self.assert_same(self.records(output), want)

    def test_table(self):
        table, output = self.folder / "table", self.folder / "table-out"
        # The last five are larger than the share of a task.
        rows = [(f"d{i}", "# A\n\nOne.\n\n# B\n\n" + "Two is more. " * (i * 100 if i < 35 else 100_000), "markdown", '{"n": %d}' % i) for i in range(40)]
        self.spark.createDataFrame(rows, "doc_id string, content string, format string, meta string").write.parquet(str(table))
        summary = self.run_job("--table", str(table), "--output", str(output), "--partition-mib", "1")
        records = self.records(output)
        self.assertEqual(summary["documents"], 40)
        self.assertEqual({r["doc_id"]: r["meta"] for r in records}, {f"d{i}": {"n": i} for i in range(40)})
        self.assertEqual({r["source_type"] for r in records}, {"markdown"})

    def test_incremental(self):
        folder, first, second, third = (self.folder / "inc" / n for n in ("docs", "1", "2", "3"))
        self.write(folder, same="# Same\n\nAs it was.", edited="# E\n\nOld text.\n\n# F\n\nStays.", gone="# Gone\n\nSoon.", bad="# Bad\n\nGood still.")
        self.run_job("--input", str(folder), "--output", str(first))
        was = self.records(first)
        self.write(folder, edited="# E\n\nNew text.\n\n# F\n\nStays.", new="# New\n\nHere.")
        (folder / "gone.md").unlink()
        (folder / "bad.md").write_bytes(b"\0")
        summary = self.run_job("--input", str(folder), "--output", str(second), "--previous", str(first))
        self.assertEqual((summary["documents"], summary["cut"], summary["errors"]), (4, 3, 1))
        self.assertEqual({r["doc_id"] for r in self.records(second)}, {"edited.md", "new.md"})
        deletes = {r["id"] for r in self.rows(second / "deletes")}
        self.assertEqual(deletes, {r["id"] for r in was if r["doc_id"] == "gone.md" or "Old text" in r["text"]})
        # What the three tables leave is what is there; the failed one is tried again.
        (folder / "bad.md").unlink()
        summary = self.run_job("--input", str(folder), "--output", str(third), "--previous", str(second))
        self.assertEqual((summary["cut"], summary["deletes"]), (0, 1))
        self.assertEqual({i for d in self.rows(third / "documents") for i in d["ids"]}, {r["id"] for r in self.chunk(folder)})

    def test_killed(self):
        folder, output = self.folder / "many", self.folder / "many-out"
        paragraph = "This sentence has a number, {}, and some more words after it. " * 12 + "\n\n"
        self.write(folder, **{f"d{i}": "".join(f"## Part {k}\n\n" + paragraph.replace("{}", str(i * k)) for k in range(20)) for i in range(3000)})
        (folder / "binary.md").write_bytes(b"\0")
        (folder / "large.md").write_text("A line of a document that is far too large. \n" * ((100 << 20) // 46))
        job = self.start("--input", str(folder), "--output", str(output), "--partition-mib", "1")
        pipes = lambda: [p for p, _, a in processes() if a[1:2] == ["pipe"] and "--worker" not in a and str(self.folder) in a[0]]
        for _ in range(2):  # one now, one of another task
            victim = wait(pipes, LIMIT)[0]
            os.kill(victim, signal.SIGKILL)
            time.sleep(2)
        victim = wait(lambda: [p for p, parent, _ in processes() if parent in {w.pid for w in self.cluster.workers}])[0]
        wait(lambda: pipes() or job.poll() is not None)
        self.assertIsNone(job.poll(), "the job was over too early")
        os.kill(victim, signal.SIGKILL)
        summary = self.finish(job)
        want = [r for r in self.chunk(folder) if r["doc_id"] != "large.md"]
        self.assertEqual((summary["documents"], summary["errors"], summary["chunks"], summary["distinct_ids"]), (3002, 2, len(want), len(want)))
        self.assert_same(self.records(output), want)
        self.assertEqual({e["doc_id"] for e in self.rows(output / "errors")}, {"binary.md", "large.md"})

    def test_a_document_that_takes_too_much(self):
        folder, output = self.folder / "heavy", self.folder / "heavy-out"
        self.write(folder, a="# A\n\nOne.", b="# B\n\nTwo.", heavy="A line of a document that takes more than there is. \n" * 500_000)
        self.run_job("--input", str(folder), "--output", str(output), "--", "--strategy", "semantic", "--max-memory", "400")
        self.assertEqual([(e["doc_id"], e["error"]) for e in self.rows(output / "errors")], [("heavy.md", "memory limit reached")])
        self.assertEqual({r["doc_id"] for r in self.records(output)}, {"a.md", "b.md"})


if __name__ == "__main__":
    unittest.main()
