import { describe, expect, it } from "vitest";
import { batchRows, type StoredCell } from "../../../base/testing/batchRows.js";
import { type CollectOptions, collect } from "../../testing/collect.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const int = (value: number): StoredCell => ({ int: BigInt(value), decimals: 0 });

type Raw = NonNullable<CollectOptions["raw"]>;

async function read(
  body: string | Uint8Array,
  pattern: string,
  {
    multiline,
    timeZone,
    pieceBytes,
  }: Pick<Raw, "multiline"> & Pick<CollectOptions, "timeZone" | "pieceBytes"> = {},
) {
  const raw = { pattern, multiline };
  const options = { contentType: "text/plain", raw, timeUnit: { unit: null, nowMs } };
  const rows = await collect(body, {
    ...options,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(pieceBytes === undefined ? {} : { pieceBytes }),
  });
  return {
    rows: rows.batches.flatMap(batchRows),
    times: rows.batches.flatMap((batch) =>
      [...batch.times].map((ms) => new Date(ms).toISOString()),
    ),
    problems: rows.problems,
  };
}

/** A line, the time of its row and its columns. */
type Case = [pattern: string, line: string, time: string, row: Record<string, StoredCell>];

describe("presets", () => {
  it.each<Case>([
    [
      "combined",
      '10.0.0.1 - frank [21/Nov/2026:09:00:00 +0100] "GET /a?b=\\"c\\" HTTP/1.1" 200 2326 "https://x/" "Mozilla/5.0 (X11)"',
      "2026-11-21T08:00:00.000Z",
      {
        ...{ client: "10.0.0.1", user: "frank", method: "GET", path: '/a?b=\\"c\\"' },
        ...{ protocol: "HTTP/1.1", status: int(200), bytes: int(2326) },
        ...{ referrer: "https://x/", agent: "Mozilla/5.0 (X11)" },
      },
    ],
    [
      "combined",
      '::1 - - [21/Nov/2026:09:00:00 +0000] "\\x16\\x03" 400 - "-" "-" 0.003',
      "2026-11-21T09:00:00.000Z",
      { client: "::1", request: "\\x16\\x03", status: int(400), rest: "0.003" },
    ],
    [
      "common",
      '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326',
      "2000-10-10T20:55:36.000Z",
      {
        ...{ client: "127.0.0.1", method: "GET", path: "/apache_pb.gif", protocol: "HTTP/1.0" },
        ...{ status: int(200), bytes: int(2326) },
      },
    ],
    [
      "syslog",
      "<34>Oct 11 22:14:15 mymachine su[230]: 'su root' failed on /dev/pts/8",
      "2026-10-11T20:14:15.000Z",
      {
        ...{ host: "mymachine", program: "su", pid: int(230), severity: "critical" },
        ...{ facility: "auth", message: "'su root' failed on /dev/pts/8" },
      },
    ],
    [
      "syslog",
      "Dec  1 00:00:00 box kernel: [12.5] eth0: up",
      "2025-11-30T23:00:00.000Z",
      { host: "box", program: "kernel", message: "[12.5] eth0: up" },
    ],
    [
      "syslog",
      "2026-11-21T09:00:00.123456+00:00 box cron[1]: ran",
      "2026-11-21T09:00:00.123Z",
      { host: "box", program: "cron", pid: int(1), message: "ran" },
    ],
    [
      "syslog",
      '<165>1 2003-10-11T22:14:15.003Z host.example app - ID47 [x@1 a="b\\]c"] An event',
      "2003-10-11T22:14:15.003Z",
      {
        ...{ host: "host.example", program: "app", message_id: "ID47", data: '[x@1 a="b\\]c"]' },
        ...{ severity: "notice", facility: "local4", message: "An event" },
      },
    ],
    [
      "log4j",
      "2026-11-21 09:00:00,123 [main] ERROR com.shop.Cart - no such item: 5",
      "2026-11-21T08:00:00.123Z",
      { level: "ERROR", thread: "main", logger: "com.shop.Cart", message: "no such item: 5" },
    ],
    [
      "log4j",
      "2026-11-21T09:00:00.123Z  INFO 4711 --- [           main] c.s.ShopApplication      : Started",
      "2026-11-21T09:00:00.123Z",
      {
        ...{ level: "INFO", thread: "main", logger: "c.s.ShopApplication" },
        ...{ pid: int(4711), message: "Started" },
      },
    ],
    [
      "logfmt",
      'ts=2026-11-21T09:00:00Z level=info msg="took \\"long\\"" took=1.5 n=7 id=007 cached',
      "2026-11-21T09:00:00.000Z",
      {
        ...{ level: "info", msg: 'took "long"', took: { int: 1_500_000n, decimals: 6 } },
        ...{ n: int(7), id: "007", cached: "true" },
      },
    ],
    [
      "nginx-error",
      "2026/11/21 09:00:00 [error] 12#34: *5 open() failed, client: 10.0.0.1",
      "2026-11-21T08:00:00.000Z",
      {
        ...{ level: "error", pid: int(12), tid: int(34), connection: int(5) },
        message: "open() failed, client: 10.0.0.1",
      },
    ],
    [
      "apache-error",
      "[Sat Nov 21 09:00:00.123456 2026] [core:error] [pid 7:tid 8] [client 10.0.0.1:5] AH1: no",
      "2026-11-21T08:00:00.123Z",
      {
        ...{ module: "core", level: "error", pid: int(7), tid: int(8) },
        ...{ client: "10.0.0.1:5", message: "AH1: no" },
      },
    ],
    [
      "plain",
      "2026-11-21 09:00:00.5 it rains",
      "2026-11-21T08:00:00.500Z",
      { message: "it rains" },
    ],
    ["plain", "it rains", "2026-11-21T12:00:00.000Z", { message: "it rains" }],
  ])("%s: %s", async (pattern, line, time, row) => {
    const { rows, times, problems } = await read(line, pattern, { timeZone: "Europe/Berlin" });
    expect(problems).toEqual([]);
    expect([times, rows]).toEqual([[time], [row]]);
  });

  it("a time without zone is refused where the request names none", async () => {
    const { problems } = await read("Nov 21 09:00:00 box su: x", "syslog");
    expect(problems).toMatchObject([
      { code: "time-invalid", detail: expect.stringContaining("timeZone") },
    ]);
  });

  it.each([
    "combined",
    "common",
    "syslog",
    "log4j",
    "logfmt",
    "nginx-error",
    "apache-error",
    "plain",
  ])(
    "%s reads long lines in linear time",
    async (pattern) => {
      const starts = [
        "",
        "<1>",
        "[",
        '1 - - [21/Nov/2026:09:00:00 +0000] "',
        "2026-11-21 09:00:00 INFO 1 --- [",
      ];
      const repeated = [
        " ",
        "a",
        "\\",
        '"',
        '\\"',
        "[",
        "a ",
        "] ",
        "[a] ",
        "a=",
        '"" ',
        ":",
        "::1 ",
      ];
      for (const start of starts)
        for (const part of repeated) {
          const begun = performance.now();
          await read(start + part.repeat(900_000 / part.length), pattern);
          // Quadratic time would be minutes.
          expect(performance.now() - begun).toBeLessThan(1_500);
        }
    },
    60_000,
  );
});

describe("patterns with named groups", () => {
  it("a group is a column, one of digits a column of numbers", async () => {
    const pattern = String.raw`^(?P<time>\S+) (?P<status>\d{3}) (?<took>\d+\.\d+) (?P<zip>[0-9a]+) (?P<more>.*)$`;
    const { rows, problems } = await read("2026-11-21T09:00:00Z 200 1.25 01234 x\n", pattern);
    expect(problems).toEqual([]);
    expect(rows).toEqual([
      { status: int(200), took: { int: 1_250_000n, decimals: 6 }, zip: "01234", more: "x" },
    ]);
  });

  it("a line that does not match is refused alone, with its number", async () => {
    const { rows, problems } = await read(
      "2026-11-21T09:00:00Z a\r\n\r\nnothing\r\n2026-11-21T09:00:01Z b",
      String.raw`^(?P<time>\d\S+) (?P<word>\w+)$`,
    );
    expect(rows.map(({ word }) => word)).toEqual(["a", "b"]);
    expect(problems).toMatchObject([{ line: 3, code: "line-unmatched" }]);
  });

  it.each([
    ["(?P<time>", "invalid-pattern"],
    ["no groups", "invalid-pattern"],
    ["combine", "invalid-pattern"],
    [`(?P<time>${"a".repeat(2_000)})`, "invalid-pattern"],
  ])("%s is refused", async (pattern, code) => {
    await expect(read("x", pattern)).rejects.toMatchObject({ code });
  });

  it("what takes other engines for ever takes no time", async () => {
    const begun = performance.now();
    await read(`${"a".repeat(30_000)}!\n`.repeat(20), "(?P<time>(a+)+)$");
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it("none is asked for by its name", async () => {
    await expect(collect("x", { contentType: "text/plain" })).rejects.toMatchObject({
      message: expect.stringContaining("combined"),
    });
  });
});

describe("events of several lines", () => {
  const stack = [
    "2026-11-21 09:00:00,000 ERROR shop.Cart - no item",
    "java.lang.IllegalStateException: no item",
    "\tat shop.Cart.take(Cart.java:5)",
    "",
    "Caused by: java.io.IOException",
    "\t... 3 more",
    "",
  ];

  it("a stack trace belongs to its line, however the body comes", async () => {
    const body = `${stack.join("\n")}\n2026-11-21 09:00:01,000 INFO shop.Cart - ok\n`;
    for (const pieceBytes of [1, 7, 1 << 20]) {
      const options = { timeZone: "UTC", pieceBytes };
      const { rows, problems } = await read(body, "log4j", options);
      expect(problems).toEqual([]);
      expect(rows.map(({ message }) => message)).toEqual([
        ["no item", ...stack.slice(1, 6)].join("\n"),
        "ok",
      ]);
    }
  });

  it("indented lines belong to the line before, others do not", async () => {
    const body = "Traceback of nothing\nfailed\n  File x\n\n  File y\nCaused by: z\nnext";
    const { rows } = await read(body, "plain");
    expect(rows.map(({ message }) => message)).toEqual([
      "Traceback of nothing",
      "failed\n  File x\n  File y\nCaused by: z",
      "next",
    ]);
  });

  it("an event that is too long, or not UTF-8, is refused alone", async () => {
    const long = `a\n${` ${"x".repeat(999)}\n`.repeat(1_100)}`;
    const bytes = Buffer.concat([
      Buffer.from(`${long}b\n `),
      Buffer.from([0xff]),
      Buffer.from("\nc"),
    ]);
    const { rows, problems } = await read(bytes, "plain");
    expect(rows).toEqual([{ message: "c" }]);
    expect(problems).toMatchObject([
      { line: 1, code: "row-too-long" },
      { line: 1_102, code: "invalid-unicode" },
    ]);
  });
});
