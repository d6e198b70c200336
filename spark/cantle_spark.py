"""Cut documents into chunks on an Apache Spark cluster.

    spark-submit --files cantle cantle_spark.py --input s3a://b/docs --output s3a://b/chunks -- --max-tokens 300

Spark reads, spreads, tries again and commits; `cantle pipe` cuts. README.md
says what goes in and what comes out.

Whether a document fails can depend on the machine (its time is limited), so
documents are cut once: the answers are committed to OUTPUT/answers, and every
table is made of these.
"""

import argparse
import base64
import json
import os
import queue
import subprocess
import threading
import time

from pyspark import SparkFiles
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

# The record of `cantle chunk`. meta has no fixed fields and is kept as JSON.
RECORD = """
    id string, doc_id string, source string, source_type string, chunk_index int, total_chunks int,
    type string, types array<string>, section_path array<string>, heading string, text string, context string,
    tokens int, chunk_size int, start bigint, end bigint, start_line int, end_line int, page_start int, page_end int,
    parts array<struct<role string, start bigint, end bigint>>, language string, symbols array<string>,
    table struct<id string, row_start int, row_end int, rows int, columns array<string>>,
    parent_id string, prev_id string, next_id string, reason string, flags array<string>, meta string
"""

# What `cantle pipe` answers.
ANSWER = f"error string, chunks array<struct<{RECORD}>>"

# Rows of OUTPUT/answers: documents that were cut in this run.
ANSWERS = "doc_id string, source string, bytes bigint, hash string, answer string"

# Rows of OUTPUT/documents: all documents that are there, and what is known of them.
DOCUMENTS = "doc_id string, source string, bytes bigint, hash string, settings string, error string, ids array<string>"


def arguments(argv=None):
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0], epilog="Flags of `cantle pipe` go behind a --.")
    what = p.add_mutually_exclusive_group(required=True)
    what.add_argument("--input", help="folder, in any file system that Spark reads; a document is called by its path below it")
    what.add_argument("--table", help="table, or folder of Parquet (what has a / in it): doc_id, content (string or binary), and if wanted source, format, meta (JSON)")
    p.add_argument("--glob", help="names of files to take, *.md")
    p.add_argument("--output", required=True, help="folder to write")
    p.add_argument("--previous", help="output of the run before: only what is new or has changed is cut")
    p.add_argument("--program", default="cantle", help="the program, as spark-submit --files was given it")
    p.add_argument("--settings", help="file for `cantle pipe --settings`, given to --files too")
    p.add_argument("--max-mib", type=int, default=32, help="documents above this size are errors, and are not read")
    p.add_argument("--partition-mib", type=int, default=16, help="documents that one task cuts; the smallest unit of work that is lost and done again")
    p.add_argument("flags", nargs="*")
    args = p.parse_args(argv)
    if args.max_mib < 1 or args.partition_mib < 1:
        p.error("--max-mib and --partition-mib must be at least 1")
    return args


def main():
    args = arguments()
    spark = SparkSession.builder.appName("cantle").getOrCreate()
    began = time.time()
    pipe = Pipe(args.program, args.settings, [f"--max-size={2 * args.max_mib}", *args.flags])
    made_by = pipe.stamp(spark)
    listing, documents = read_folder(spark, args) if args.input else read_table(spark, args)

    before = spark.createDataFrame([], DOCUMENTS)
    if args.previous:
        before = spark.read.schema(DOCUMENTS).parquet(f"{args.previous}/documents")
    same = before.where((F.col("settings") == made_by["settings"]) & F.col("error").isNull())
    todo = documents.join(same.select("doc_id", "hash"), ["doc_id", "hash"], "left_anti") if args.previous else documents

    cut = spark.createDataFrame(todo.rdd.mapPartitions(pipe.cut), ANSWERS)
    cut.write.mode("overwrite").parquet(f"{args.output}/answers")
    answers = (
        spark.read.schema(ANSWERS).parquet(f"{args.output}/answers")
        .withColumn("answer", F.from_json("answer", ANSWER, {"mode": "FAILFAST"}))
    )

    write(
        answers.select(F.explode("answer.chunks").alias("chunk")).select("chunk.*"),
        f"{args.output}/chunks", "source_type",
    )
    write(manifest(listing, answers, before, made_by["settings"], args.max_mib << 20), f"{args.output}/documents")
    now = spark.read.schema(DOCUMENTS).parquet(f"{args.output}/documents")
    write(now.where("error is not null").select("doc_id", "source", "bytes", "error"), f"{args.output}/errors")
    ids = lambda table: table.select("doc_id", F.explode("ids").alias("id"))
    write(ids(before).join(ids(now), "id", "left_anti"), f"{args.output}/deletes")

    chunks = spark.read.schema(RECORD).parquet(f"{args.output}/chunks")
    total = chunks.agg(F.count("id").alias("chunks"), F.countDistinct("id").alias("ids"), F.sum("tokens").alias("tokens")).first()
    done = answers.agg(F.count("doc_id").alias("documents"), F.sum("bytes").alias("bytes")).first()
    summary = {
        **made_by,
        "spark": spark.version,
        "documents": now.count(),
        "cut": done["documents"],
        "cut_bytes": done["bytes"] or 0,
        "errors": spark.read.parquet(f"{args.output}/errors").count(),
        "chunks": total["chunks"],
        "distinct_ids": total["ids"],
        "tokens": total["tokens"] or 0,
        "deletes": spark.read.parquet(f"{args.output}/deletes").count(),
        "seconds": round(time.time() - began, 1),
    }
    write_text(spark, f"{args.output}/summary.json", json.dumps(summary, indent=1) + "\n")
    print(json.dumps(summary))
    spark.stop()


def read_folder(spark, args):
    """Returns the list of files, whose content is not read, and the documents.

    Spark packs files into tasks by size, large ones first, each of them whole.
    What it takes a file to cost besides its bytes is 4 MB otherwise: far too
    much for pages of 10 KB.
    """
    spark.conf.set("spark.sql.files.maxPartitionBytes", args.partition_mib << 20)
    spark.conf.set("spark.sql.files.openCostInBytes", 4096)
    spark.conf.set("spark.sql.files.minPartitionNum", 4 * spark.sparkContext.defaultParallelism)
    folder = spark._jvm.org.apache.hadoop.fs.Path(args.input)
    root = folder.getFileSystem(spark._jsc.hadoopConfiguration()).makeQualified(folder).toString().rstrip("/") + "/"
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", True)
    if args.glob:
        reader = reader.option("pathGlobFilter", args.glob)
    files = reader.load(args.input).select(
        F.col("path").substr(F.lit(len(root) + 1), F.length("path")).alias("doc_id"),
        F.regexp_replace("path", "^file:/+", "/").alias("source"),
        F.lit(None).cast("string").alias("format"),
        F.lit(None).cast("string").alias("meta"),
        F.col("length").alias("bytes"),
        "content",
    )
    documents = files.where(F.col("bytes") <= args.max_mib << 20).withColumn("hash", F.sha2("content", 256))
    return files.drop("content", "format", "meta"), documents


def read_table(spark, args):
    """Like read_folder. Documents as large as a task's share have tasks of
    their own, which come first."""
    table = spark.read.parquet(args.table) if "/" in args.table else spark.table(args.table)
    column = lambda name: (F.col(name) if name in table.columns else F.lit(None)).cast("string")
    documents = table.select(
        "doc_id",
        F.coalesce(column("source"), F.col("doc_id")).alias("source"),
        column("format").alias("format"),
        column("meta").alias("meta"),
        F.octet_length("content").cast("bigint").alias("bytes"),
        F.col("content").cast("binary").alias("content"),
    )
    listing = documents.drop("content", "format", "meta")
    fits = documents.where(F.col("bytes") <= args.max_mib << 20)
    # What a caller says of a document is part of what it is cut from.
    fits = fits.withColumn("hash", F.sha2(F.concat(F.sha2("content", 256), F.to_json(F.struct("source", "format", "meta"))), 256))
    share = args.partition_mib << 20
    sizes = listing.where(F.col("bytes") <= args.max_mib << 20).agg(
        F.sum(F.when(F.col("bytes") < share, F.col("bytes")).otherwise(0)).alias("small"),
        F.count(F.when(F.col("bytes") >= share, 1)).alias("large"),
    ).first()
    least = 4 * spark.sparkContext.defaultParallelism
    small = fits.where(F.col("bytes") < share).repartition(max(least, (sizes["small"] or 0) // share + 1))
    if not sizes["large"]:
        return listing, small
    return listing, fits.where(F.col("bytes") >= share).repartition(sizes["large"]).union(small)


def manifest(listing, answers, before, settings, limit):
    """Returns what is known of every document that is there now. One that
    failed keeps the chunks it had: they are old, and better than none."""
    fresh = answers.select("doc_id", "source", "bytes", "hash", F.col("answer.error").alias("error"), F.col("answer.chunks.id").alias("ids"))
    large = listing.where(F.col("bytes") > limit).select(
        "doc_id", "source", "bytes",
        F.lit(None).cast("string").alias("hash"),
        F.concat(F.lit("document is over the size limit of "), F.lit(limit).cast("string"), F.lit(" bytes")).alias("error"),
        F.lit(None).cast("array<string>").alias("ids"),
    )
    old = before.select("doc_id", F.col("ids").alias("old"))
    nothing = F.array().cast("array<string>")
    tried = (
        fresh.unionByName(large)
        .withColumn("settings", F.lit(settings))
        .join(old, "doc_id", "left")
        .withColumn("ids", F.when(F.col("error").isNull(), F.col("ids")).otherwise(F.coalesce("old", nothing)))
        .drop("old")
    )
    kept = before.join(listing.select("doc_id"), "doc_id", "left_semi").join(tried.select("doc_id"), "doc_id", "left_anti")
    return kept.unionByName(tried)


def write(table, path, *partitions):
    table.write.mode("overwrite").partitionBy(*partitions).parquet(path)


def write_text(spark, path, text):
    path = spark._jvm.org.apache.hadoop.fs.Path(path)
    out = path.getFileSystem(spark._jsc.hadoopConfiguration()).create(path, True)
    out.write(bytearray(text.encode()))
    out.close()


class Pipe:
    """Cuts documents by a `cantle pipe`: one process for a task, used for all its documents."""

    def __init__(self, program, settings, flags):
        self.program, self.settings, self.flags = os.path.basename(program), settings, flags

    def start(self):
        command = [SparkFiles.get(self.program), "pipe", *self.flags]
        if self.settings:
            command.append("--settings=" + SparkFiles.get(os.path.basename(self.settings)))
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def stamp(self, spark):
        """Returns what the answers of these settings are stamped with. It asks
        a machine of the cluster: the driver may be one that cannot run the program."""
        def ask(_):
            process = self.start()
            out, _ = process.communicate(b'{"doc_id": "-", "content": ""}\n')
            if process.returncode != 0:
                raise RuntimeError(f"cantle pipe ended with status {process.returncode}")
            return json.loads(out)

        answer = spark.sparkContext.parallelize([0], 1).map(ask).first()
        return {"version": answer["version"], "settings": answer["settings"]}

    def cut(self, documents):
        """Yields the answers to the documents of a task."""
        process = self.start()
        asked = queue.Queue(4)  # documents in the pipe, and an error or None behind the last

        def feed():
            end = None
            try:
                for d in documents:
                    asked.put(Row(doc_id=d.doc_id, source=d.source, bytes=d.bytes, hash=d.hash))
                    process.stdin.write(request(d))
                    process.stdin.flush()
            except BrokenPipeError:
                pass  # the answers say so
            except Exception as e:
                end = e
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
            asked.put(end)

        threading.Thread(target=feed, daemon=True).start()
        try:
            while (d := asked.get()) is not None:
                if isinstance(d, Exception):
                    raise d
                answer = process.stdout.readline()
                if not answer.endswith(b"\n"):
                    raise RuntimeError(f"cantle pipe ended with status {process.wait()} before {d.doc_id}")
                yield (d.doc_id, d.source, d.bytes, d.hash, answer.decode())
            if process.wait() != 0:
                raise RuntimeError(f"cantle pipe ended with status {process.returncode}")
        finally:
            process.kill()
            process.wait()


def request(d):
    r = {"doc_id": d.doc_id, "source": d.source, "content_base64": base64.b64encode(d.content).decode()}
    if d.format:
        r["format"] = d.format
    if d.meta:
        r["meta"] = json.loads(d.meta)
    return json.dumps(r).encode() + b"\n"


if __name__ == "__main__":
    main()
