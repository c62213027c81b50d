import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import {
  type BinaryForm,
  type CsvParameters,
  type CsvReading,
  checkDelimiter,
  createSemaphore,
  followCsv,
  type HadalClient,
  HadalError,
  type IngestReply,
  type RawParameters,
  type RowProblem,
  randomKey,
  rowProblemsMax,
  type TimeUnit,
  timeColumn,
  withRetry,
} from "@hadal/sdk";
import { createZstdInflater } from "../../base/compress/zstdStream.js";
import { createLinePattern } from "../../base/format/raw/linePattern.js";
import { cutArrowFile } from "./arrowFile.js";
import { type BodyCutter, type CutBody, createBodyCutter } from "./bodyCutter.js";
import { cutParquetFile } from "./parquetFile.js";
import { RawCutter } from "./rawCutter.js";
import type { BodyFormat } from "./recordScanner.js";
import { wholeBody } from "./wholeBody.js";

export type FileFormat = BodyFormat | "arrow" | "parquet" | "raw" | "folded" | "cpuprofile";

export interface IngestSource {
  /** null for formats that are read from their end: these are opened by `path`. */
  readonly input: Readable | null;
  readonly path: string;
  readonly format: FileFormat;
  /** Bytes of the file as it lies there; null for standard input. */
  readonly totalBytes: number | null;
  /** When the file was changed last; null for standard input. */
  readonly changed: Date | null;
  /** Bytes of it that were read. */
  readonly readBytes: () => number;
}

export interface IngestFileOptions {
  readonly table: string;
  readonly time: string | undefined;
  readonly timeUnit: TimeUnit | undefined;
  readonly timeZone: string | undefined;
  readonly binary: BinaryForm | undefined;
  /** Of raw lines. */
  readonly raw: RawParameters | undefined;
  readonly signal: AbortSignal;
}

/** The outcome of a file. Lines are those of the file. */
export interface IngestReport {
  accepted: number;
  rejected: number;
  readonly problems: RowProblem[];
  /** How the file's columns are read, and which texts count as missing, where it is CSV. */
  readonly csv: CsvFindings;
}

/** How the server reads a CSV file, by the first body that has a value of the column. */
export interface CsvFindings {
  isKnown: boolean;
  /** By which the next body is read as those before. */
  parameters: CsvParameters;
  /** Why columns with numbers are text. */
  readonly reasons: Map<string, string>;
  /** Rows with a text that was read as missing, by column and text. */
  readonly missing: Map<string, Map<string, number>>;
}

export function createReport(csv: CsvParameters = {}): IngestReport {
  const findings = { parameters: csv, reasons: new Map(), missing: new Map() };
  return { accepted: 0, rejected: 0, problems: [], csv: { isKnown: false, ...findings } };
}

/** Two being answered and two being sent: the server does not wait for the disk. */
const bodiesInFlightMax = 4;
/** A server that restarts is back long before. */
const retryMs = 120_000;

const contentTypes: Readonly<Record<FileFormat, string>> = {
  ndjson: "application/x-ndjson",
  json: "application/json",
  csv: "text/csv",
  arrow: "application/vnd.apache.arrow.stream",
  // Its rows are sent one by one.
  parquet: "application/x-ndjson",
  raw: "text/plain",
  folded: "text/x-folded",
  cpuprofile: "application/x-cpuprofile",
};

/** Opens a file or standard input; format and compression by the name's extensions unless given. */
export async function openSource(
  path: string,
  given: FileFormat | undefined,
): Promise<IngestSource> {
  if (path === "-") {
    if (given === "arrow" || given === "parquet") {
      const detail = `${given} is read from a file, not from standard input.`;
      throw new HadalError("bad-request", { detail });
    }
    return {
      path,
      input: process.stdin,
      format: given ?? "ndjson",
      ...{ totalBytes: null, changed: null, readBytes: () => 0 },
    };
  }
  const isGzip = /\.gz$/i.test(path);
  const isZstd = /\.zst$/i.test(path);
  const format = given ?? formatOf(path.replace(/\.(gz|zst)$/i, ""));
  const { size, mtime: changed } = await stat(path);
  if (format === "arrow" || format === "parquet") {
    if (isGzip || isZstd) {
      const detail = `${path}: unpack it first; ${format} files are compressed inside.`;
      throw new HadalError("bad-request", { detail });
    }
    return { input: null, path, format, totalBytes: null, changed, readBytes: () => 0 };
  }
  const file = createReadStream(path, { highWaterMark: 262_144 });
  const inflater = isGzip ? createGunzip() : isZstd ? createFileInflater() : null;
  const input = inflater === null ? file : file.pipe(inflater);
  if (inflater !== null) file.on("error", (error) => inflater.destroy(error));
  return { input, path, format, totalBytes: size, changed, readBytes: () => file.bytesRead };
}

export interface IngestProgress {
  readonly report: IngestReport;
  /** Called after each answer. */
  readonly onProgress: () => void;
}

/** Sends a source to a table, several bodies at a time. */
export async function ingestFile(
  client: HadalClient,
  source: IngestSource,
  options: IngestFileOptions,
  { report, onProgress }: IngestProgress,
): Promise<void> {
  const sender = new BodySender(async (body) => {
    const key = randomKey();
    const post = (): Promise<IngestReply> =>
      client.ingestBody(options.table, body.bytes, {
        ...requestOf(source, options, report),
        idempotencyKey: key,
      });
    try {
      addReply(report, body, await withRetry(post, retryMs));
    } catch (error) {
      addRefusal(report, body, error);
    }
    onProgress();
  });
  try {
    for await (const body of cutSource(source, options, report.csv.parameters)) {
      await sender.start(body);
      // The others are read as the first one was.
      if (source.format === "csv" && !report.csv.isKnown) await sender.settled();
      sender.throwFailure();
    }
  } finally {
    await sender.settled();
  }
  sender.throwFailure();
}

/** How a body is to be read; what is found in the first CSV body goes with the next. */
function requestOf(source: IngestSource, options: IngestFileOptions, report: IngestReport) {
  const { signal, time, timeUnit, timeZone, binary, raw } = options;
  return {
    contentType: contentTypes[source.format],
    signal,
    ...(time === undefined ? {} : { time }),
    ...(timeUnit === undefined ? {} : { timeUnit }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(source.format !== "arrow" || binary === undefined ? {} : { binary }),
    ...(raw === undefined ? {} : { raw }),
    ...(source.format === "csv" ? { csv: report.csv.parameters } : {}),
  };
}

/** Sends bodies, some at a time. The first failure ends all. */
class BodySender {
  readonly #send: (body: CutBody) => Promise<void>;
  readonly #slots = createSemaphore(bodiesInFlightMax);
  readonly #sending = new Set<Promise<void>>();
  #failure: unknown = null;

  constructor(send: (body: CutBody) => Promise<void>) {
    this.#send = send;
  }

  /** Resolves when the body has a slot: reading goes on only then, so that memory stays at a few bodies. */
  async start(body: CutBody): Promise<void> {
    let place: () => void = () => undefined;
    const placed = new Promise<void>((resolve) => {
      place = resolve;
    });
    const sent = this.#slots
      .run(() => {
        place();
        return this.#send(body);
      })
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#sending.delete(sent));
    this.#sending.add(sent);
    await placed;
    this.throwFailure();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#sending);
  }

  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

/** No bound on inflated bytes: the file is the user's, and bodies are cut as they come. */
function createFileInflater(): Transform {
  const tooLarge = () => new Error("its frames ask for too much memory");
  return createZstdInflater(Number.POSITIVE_INFINITY, tooLarge);
}

function cutSource(
  source: IngestSource,
  {
    time = timeColumn,
    binary = "text",
    timeZone,
    raw = {},
  }: Pick<IngestFileOptions, "time" | "timeZone" | "binary" | "raw">,
  csv: CsvParameters,
): AsyncGenerator<CutBody> {
  const { input, format, path } = source;
  if (format === "arrow") return cutArrowFile(path);
  if (format === "parquet")
    return cutParquetFile(path, { timeName: time, binary, namesZone: timeZone !== undefined });
  if (input === null) throw new Error(`${format} is read from a stream`);
  if (format === "raw") {
    const { pattern = "", multiline } = raw;
    return cutBodies(input, new RawCutter(createLinePattern({ pattern, multiline })));
  }
  if (format === "cpuprofile") return cutBodies(input, wholeBody());
  if (format === "folded") return cutBodies(input, createBodyCutter("ndjson"));
  const delimiter = csv.delimiter === undefined ? undefined : checkDelimiter(csv.delimiter);
  return cutBodies(input, createBodyCutter(format, { timeName: time, delimiter }));
}

async function* cutBodies(input: Readable, cutter: BodyCutter): AsyncGenerator<CutBody> {
  try {
    for await (const bytes of input) yield* cutter.push(bytes as Uint8Array);
  } catch (error) {
    yield* cutter.takeWholeRecords();
    if ((error as NodeJS.ErrnoException).code?.startsWith("Z_") !== true) throw error;
    throw new HadalError("body-undecodable", {
      detail: `The file is not whole gzip: ${(error as Error).message}.`,
    });
  }
  yield* cutter.finish();
}

function formatOf(path: string): FileFormat {
  if (/\.(ndjson|jsonl)$/i.test(path)) return "ndjson";
  if (/\.json$/i.test(path)) return "json";
  if (/\.(csv|tsv)$/i.test(path)) return "csv";
  if (/\.(arrow|arrows|feather|ipc)$/i.test(path)) return "arrow";
  if (/\.parquet$/i.test(path)) return "parquet";
  if (/\.folded$/i.test(path)) return "folded";
  if (/\.cpuprofile$/i.test(path)) return "cpuprofile";
  throw new HadalError("unsupported-media-type", {
    detail: `${path}: the name does not show the format; add --format ndjson, json, csv, arrow, parquet, raw, folded or cpuprofile.`,
  });
}

function addReply(report: IngestReport, body: CutBody, reply: IngestReply): void {
  report.accepted += reply.accepted;
  report.rejected += reply.rejected;
  addProblems(report, body, reply.problems);
  if (reply.csv !== undefined) addFindings(report.csv, reply.csv);
}

function addFindings(findings: CsvFindings, reading: CsvReading): void {
  findings.isKnown = true;
  findings.parameters = followCsv(findings.parameters, reading);
  for (const { name, reason } of reading.columns)
    if (reason !== undefined) findings.reasons.set(name, reason);
  for (const { column, text, count } of reading.missing) {
    const counts = findings.missing.get(column) ?? new Map<string, number>();
    findings.missing.set(column, counts.set(text, (counts.get(text) ?? 0) + count));
  }
}

/** A body without a single good row, or one that is not even rows, is rejected as a whole; the next may be fine. */
function addRefusal(report: IngestReport, body: CutBody, error: unknown): void {
  const isAboutRows =
    error instanceof HadalError &&
    (error.code === "rows-rejected" || error.code === "body-undecodable");
  // The parts behind would be refused line by line.
  if (!isAboutRows || error.errors.some(({ code }) => code === "row-over-lines")) throw error;
  report.rejected += body.rows;
  const located = error.errors.flatMap(({ line, code, detail }) =>
    line === undefined ? [] : [{ line, code, detail }],
  );
  const firstRow = { line: 1, code: error.code, detail: error.message };
  addProblems(report, body, located.length > 0 ? located : [firstRow]);
}

function addProblems(report: IngestReport, body: CutBody, problems: readonly RowProblem[]): void {
  for (const problem of problems) {
    if (report.problems.length >= rowProblemsMax) return;
    report.problems.push({ ...problem, line: body.fileLine(problem.line) });
  }
}
