"""ClickHouse (chdb) or Polars as a peer of `npm run bench`: a JSON request a line in, a JSON reply a line out."""

import json
import sys
import time

repeating = ("service", "endpoint")


class ClickHouse:
    def __init__(self, threads):
        from chdb import session

        self.session = session.Session()
        self.threads = threads
        self.settings = f" SETTINGS max_threads = {threads}"

    def run(self, sql, form="JSONCompactEachRow"):
        return self.session.query(sql, form)

    def version(self):
        return json.loads(self.run("SELECT version()").bytes())[0]

    def load(self, table, path, lists, compressed):
        described = self.run(f"DESCRIBE file('{path}', Parquet)").bytes().splitlines()
        names = [json.loads(line)[0] for line in described]
        # What its users do with strings that repeat.
        casts = [f"toLowCardinality({name}) AS {name}" for name in repeating if name in names]
        casts += [f"JSONExtract({name}, 'Array(String)') AS {name}" for name in lists]
        rewritten = f" REPLACE ({', '.join(casts)})" if casts else ""
        # Text is searched faster where it lies unpacked in memory.
        is_raw = "line" in names and not compressed
        engine = "Memory" if is_raw else "MergeTree ORDER BY time"
        self.run(
            f"CREATE TABLE {table} ENGINE = {engine}"
            f" AS SELECT *{rewritten} FROM file('{path}', Parquet)"
            " SETTINGS schema_inference_make_columns_nullable = 0"
        )
        if not is_raw:
            self.run(f"OPTIMIZE TABLE {table} FINAL")

    def load_lines(self, path, columns):
        self.run("DROP TABLE IF EXISTS loaded")
        started = time.perf_counter()
        self.run(
            f"CREATE TABLE loaded ({columns}) ENGINE = MergeTree ORDER BY time"
            " SETTINGS fsync_after_insert = 1, fsync_part_directory = 1"
        )
        self.run(
            f"INSERT INTO loaded SELECT * FROM file('{path}', JSONEachRow, '{columns}')"
            f"{self.settings}, max_insert_threads = {self.threads}"
        )
        return (time.perf_counter() - started) * 1000

    def time(self, text):
        # Native: the rows as they are, not printed.
        started = time.perf_counter()
        self.run(text + self.settings, "Native")
        return (time.perf_counter() - started) * 1000

    def rows(self, text):
        # 64-bit integers come without quotes.
        printed = self.run(text + self.settings + ", output_format_json_quote_64bit_integers = 0")
        return [json.loads(line) for line in printed.bytes().splitlines()]


class Polars:
    def __init__(self, _threads):
        import polars

        self.polars = polars
        self.frames = {"pl": polars, "c": polars.col}

    def version(self):
        return self.polars.__version__

    def load(self, table, path, lists, _compressed):
        pl = self.polars
        frame = pl.read_parquet(path)
        frame = frame.with_columns(
            *[pl.col(name).cast(pl.Categorical) for name in repeating if name in frame.columns],
            *[pl.col(name).str.json_decode(pl.List(pl.String)) for name in lists],
        )
        self.frames[table] = frame.rechunk().lazy()

    def answer(self, text):
        return eval(text, self.frames).collect()

    def time(self, text):
        started = time.perf_counter()
        self.answer(text)
        return (time.perf_counter() - started) * 1000

    def rows(self, text):
        return self.answer(text).rows()


def reply_to(peer, request):
    kind = request["kind"]
    if kind == "version":
        return {"version": peer.version()}
    if kind == "load":
        peer.load(request["table"], request["path"], request["lists"], request["compressed"])
        return {}
    if kind == "loadLines":
        return {"ms": peer.load_lines(request["path"], request["columns"])}
    if kind == "time":
        return {"ms": peer.time(request["text"])}
    return {"rows": [[exact(cell) for cell in row] for row in peer.rows(request["text"])]}


def exact(cell):
    """Integers beyond 2^53 as text: the other side reads numbers as doubles."""
    is_wide = isinstance(cell, int) and abs(cell) > 2**53
    return str(cell) if is_wide else cell


def main():
    name, threads = sys.argv[1:]
    peer = {"clickhouse": ClickHouse, "polars": Polars}[name](int(threads))
    for line in sys.stdin:
        try:
            reply = reply_to(peer, json.loads(line))
        except Exception as error:  # sent to the bench, which ends
            reply = {"error": f"{type(error).__name__}: {str(error)[:2000]}"}
        print(json.dumps(reply), flush=True)


main()
