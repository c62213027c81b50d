import {
  type BinaryForm,
  type CsvParameters,
  HadalError,
  type RawParameters,
  type TimeUnit,
  timeUnits,
} from "@hadal/sdk";
import { SingleBar } from "cli-progress";
import { Command, Option } from "commander";
import { type Multiline, multilines } from "../../base/format/raw/lineValues.js";
import { connect } from "../connect/connect.js";
import { escapeControls } from "../terminal/errorLine.js";
import { exitCodes } from "../terminal/exitCode.js";
import { printRows } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";
import {
  type CsvFindings,
  createReport,
  type FileFormat,
  type IngestReport,
  type IngestSource,
  ingestFile,
  openSource,
} from "./ingestFile.js";

interface IngestFlags {
  readonly url: string;
  readonly table: string;
  readonly format?: FileFormat;
  readonly time?: string;
  readonly timeUnit?: TimeUnit;
  readonly timeZone?: string;
  readonly binary?: BinaryForm;
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly null?: string;
  readonly types?: string;
  readonly pattern?: string;
  readonly multiline?: Multiline;
  readonly at?: string;
}

export function ingestCommand(terminal: Terminal, exitWith: (code: number) => void): Command {
  return new Command("ingest")
    .description("send the rows of a file to a table")
    .argument(
      "<file>",
      "the file, or - for standard input (NDJSON unless --format says otherwise); .gz and .zst are unpacked",
    )
    .requiredOption("--table <table>", "table to write to; its first row makes it")
    .addOption(
      new Option(
        "--format <format>",
        "format of the rows (default: by the file's extension)",
      ).choices(["ndjson", "json", "csv", "arrow", "parquet", "raw", "folded", "cpuprofile"]),
    )
    .option("--time <column>", "column of the time of each row (default: time)")
    .addOption(
      new Option(
        "--time-unit <unit>",
        "what numbers in that column count since 1970; auto: by each number's size (default: milliseconds, from 1990 to ten years ahead)",
      ).choices(timeUnits),
    )
    .option(
      "--time-zone <zone>",
      "zone of times that name none and of dates, as Europe/Berlin (default: these are refused)",
    )
    .addOption(
      new Option(
        "--binary <form>",
        "what becomes of columns of bytes in Arrow and Parquet: text where they are UTF-8, else refused (default), or lower-case hexadecimal",
      ).choices(["text", "hex"]),
    )
    .option(
      "--delimiter <character>",
      "CSV: what separates values, or tab (default: found by the first rows)",
    )
    .addOption(
      new Option(
        "--decimal <mark>",
        "CSV: the decimal separator (default: found by the first rows)",
      ).choices([".", ","]),
    )
    .option("--null <texts>", "CSV: texts that are missing, as NA,unknown")
    .option(
      "--types <types>",
      "CSV: types of columns, as price:decimal(2),zip:string (string, number, integer, decimal(n), set, vector; default: found by the first rows)",
    )
    .option(
      "--pattern <pattern>",
      "raw lines: combined, common, syslog, log4j, logfmt, nginx-error, apache-error, plain, or a pattern of RE2 with named groups",
    )
    .addOption(
      new Option(
        "--multiline <lines>",
        "raw lines: which belong to the event before (default: as the pattern has it)",
      ).choices(multilines),
    )
    .option(
      "--at <time>",
      "profiles: the time of folded stacks, or of the end of a .cpuprofile (default: when the file was changed last)",
    )
    .addHelpText(
      "after",
      "\nRejected rows are listed on stderr. The exit code is 0 when at least one row was accepted.",
    )
    .action(async (path: string, flags: IngestFlags) => {
      const code = await ingest(path, flags, terminal);
      if (code !== exitCodes.fine) exitWith(code);
    });
}

async function ingest(path: string, flags: IngestFlags, terminal: Terminal): Promise<number> {
  const client = await connect(flags.url);
  // Asked first: without a server the file need not be opened, nor its rows be retried.
  await client.me();
  const source = await openSource(path, flags.format);
  const raw = rawFlags(flags, source);
  const report = createReport(csvFlags(flags, source.format));
  const interrupt = new AbortController();
  const onInterrupt = (): void => {
    interrupt.abort();
    source.input?.destroy();
  };
  process.once("SIGINT", onInterrupt);
  const progress = createProgress(source, report, terminal);
  try {
    await ingestFile(
      client,
      source,
      {
        table: flags.table,
        time: flags.time,
        timeUnit: flags.timeUnit,
        timeZone: flags.timeZone,
        binary: flags.binary,
        raw,
        signal: interrupt.signal,
      },
      { report, onProgress: progress.show },
    );
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
  } finally {
    process.off("SIGINT", onInterrupt);
    progress.stop();
    await printReport(report, terminal);
    client.close();
  }
  if (interrupt.signal.aborted) return exitCodes.interrupted;
  return report.accepted > 0 || report.rejected === 0 ? exitCodes.fine : exitCodes.failed;
}

/** Refuses flags that would have no effect on the format. */
function csvFlags(flags: IngestFlags, format: FileFormat): CsvParameters {
  const { delimiter, decimal, null: nullTexts, types } = flags;
  const given = Object.entries({ delimiter, decimal, null: nullTexts, types }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const [first] = given;
  if (first !== undefined && format !== "csv") {
    throw new HadalError("bad-request", {
      detail: `--${first[0]} says how CSV is read; the rows are ${format}.`,
    });
  }
  return Object.fromEntries(given);
}

function rawFlags(
  flags: IngestFlags,
  { format, changed }: IngestSource,
): RawParameters | undefined {
  const { pattern, multiline, at } = flags;
  const isProfile = format === "folded" || format === "cpuprofile";
  if (at !== undefined && !isProfile) {
    const detail = `--at is the time of a profile; the rows are ${format}.`;
    throw new HadalError("bad-request", { detail });
  }
  if (format === "raw") {
    if (pattern !== undefined)
      return { pattern, ...(multiline === undefined ? {} : { multiline }) };
    const detail = "Raw lines need --pattern: combined, syslog … or a pattern with named groups.";
    throw new HadalError("bad-request", { detail });
  }
  if (pattern === undefined && multiline === undefined) {
    const moment = at ?? changed?.toISOString();
    return isProfile && moment !== undefined ? { at: moment } : undefined;
  }
  const detail = `--pattern and --multiline say how raw lines are read; the rows are ${format}.`;
  throw new HadalError("bad-request", { detail });
}

/** Columns of a CSV file whose type may surprise. */
async function printFindings({ reasons, missing }: CsvFindings, terminal: Terminal): Promise<void> {
  for (const [name, reason] of reasons)
    await terminal.writeError(`column ${escapeControls(`${name} is text: ${reason}`)}\n`);
  for (const [name, counts] of missing) {
    const texts = [...counts].map(([text, count]) => `${text} (${count.toLocaleString("en-US")})`);
    await terminal.writeError(
      `column ${escapeControls(`${name}: read as missing: ${texts.join(", ")}`)}\n`,
    );
  }
}

async function printReport(report: IngestReport, terminal: Terminal): Promise<void> {
  const problems = [...report.problems].sort((a, b) => a.line - b.line);
  for (const problem of problems) {
    await terminal.writeError(
      `line ${problem.line}: ${escapeControls(problem.detail)} (${problem.code})\n`,
    );
  }
  if (report.rejected > problems.length && problems.length > 0) {
    await terminal.writeError(`… and ${printRows(report.rejected - problems.length)} more\n`);
  }
  await printFindings(report.csv, terminal);
  await terminal.write(
    `${printRows(report.accepted)} accepted, ${report.rejected.toLocaleString("en-US")} rejected\n`,
  );
}

interface Progress {
  show(): void;
  stop(): void;
}

/** A bar for a person at a terminal, over the bytes of the file; nothing for a script or a pipe. */
function createProgress(source: IngestSource, report: IngestReport, terminal: Terminal): Progress {
  const { totalBytes } = source;
  if (!terminal.errorIsTerminal || totalBytes === null)
    return { show: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format:
      "{bar} {percentage} % · {accepted} accepted · {rejected} rejected · {eta_formatted} left",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  const counts = () => ({ accepted: report.accepted, rejected: report.rejected });
  bar.start(Math.max(1, totalBytes), 0, counts());
  return {
    show: () => bar.update(source.readBytes(), counts()),
    stop: () => bar.stop(),
  };
}
