import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { HadalError, type TimeUnit, timeUnits } from "@hadal/sdk";
import { Command, Option } from "commander";
import { lockFolder } from "../../base/file/folderLock.js";
import { lastEventStart } from "../../base/format/raw/lineEvents.js";
import { createLinePattern } from "../../base/format/raw/linePattern.js";
import { type Multiline, multilines } from "../../base/format/raw/lineValues.js";
import { connect } from "../connect/connect.js";
import { escapeControls } from "../terminal/errorLine.js";
import { printRows } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";
import { Follower, type SendOutcome } from "./follower.js";
import { FollowState } from "./followState.js";

interface FollowFlags {
  readonly url: string;
  readonly table: string;
  readonly format: "raw" | "ndjson";
  readonly pattern: string;
  readonly multiline?: Multiline;
  readonly time?: string;
  readonly timeUnit?: TimeUnit;
  readonly timeZone?: string;
  readonly from: "start" | "end";
  readonly once?: true;
  readonly stateDir?: string;
}

/** Of each body; the others are counted. */
const problemsShownMax = 3;
const newline = 0x0a;

export function followCommand(terminal: Terminal): Command {
  return new Command("follow")
    .description("send what is added to files to a table, over rotation and restarts")
    .argument(
      "<files...>",
      "files, folders, and patterns in quotes ('/var/log/*.log'): new files are found",
    )
    .requiredOption("--table <table>", "table to write to; its first row makes it")
    .addOption(
      new Option("--format <format>", "format of the lines")
        .choices(["raw", "ndjson"])
        .default("raw"),
    )
    .option(
      "--pattern <pattern>",
      "raw lines: combined, common, syslog, log4j, logfmt, nginx-error, apache-error, plain, or a pattern of RE2 with named groups",
      "plain",
    )
    .addOption(
      new Option(
        "--multiline <lines>",
        "raw lines: which belong to the event before (default: as the pattern has it)",
      ).choices(multilines),
    )
    .option("--time <column>", "column of the time of each row (default: time)")
    .addOption(
      new Option("--time-unit <unit>", "what numbers in that column count since 1970").choices(
        timeUnits,
      ),
    )
    .option("--time-zone <zone>", "zone of times that name none (default: of this machine)")
    .addOption(
      new Option("--from <place>", "where files begin that are there at the very first start")
        .choices(["start", "end"])
        .default("start"),
    )
    .option("--once", "end when everything is sent")
    .option(
      "--state-dir <folder>",
      "where positions are kept (default: ~/.local/state/hadal/follow/…, by server, table and files)",
    )
    .addHelpText(
      "after",
      "\nA kill at any moment loses no line and doubles none, as long as it is started again within ten minutes or 10,000 batches of the table.",
    )
    .action((files: readonly string[], flags: FollowFlags) => follow(files, flags, terminal));
}

async function follow(
  patterns: readonly string[],
  flags: FollowFlags,
  terminal: Terminal,
): Promise<void> {
  const folder = flags.stateDir ?? stateFolderOf(patterns, flags);
  const note = (text: string) => void terminal.writeError(`hadal: ${escapeControls(text)}\n`);
  const stop = new AbortController();
  const onStop = (): void => stop.abort();
  const signals = ["SIGINT", "SIGTERM"] as const;
  const { wholeBytes, bodyOptions } = readingOf(flags);
  const lock = await lockFolder(folder);
  const client = await connect(flags.url);
  const total = { accepted: 0, rejected: 0 };
  for (const signal of signals) process.on(signal, onStop);
  try {
    const { from, once: isOnce = false } = flags;
    const follower = new Follower(await FollowState.open(folder, note), {
      ...{ patterns, from, isOnce, wholeBytes, note, signal: stop.signal },
      send: (body, idempotencyKey, signal) =>
        client.ingestBody(flags.table, body, { ...bodyOptions, idempotencyKey, signal }),
      onReply: (path, outcome) => {
        total.accepted += outcome.accepted;
        total.rejected += outcome.rejected;
        noteRefused(path, outcome, note);
      },
    });
    await follower.run();
  } finally {
    for (const signal of signals) process.off(signal, onStop);
    client.close();
    await lock.release();
  }
  await terminal.write(
    `${printRows(total.accepted)} accepted, ${total.rejected.toLocaleString("en-US")} rejected\n`,
  );
}

/** How bodies are cut, and sent. */
function readingOf(flags: FollowFlags) {
  const { format, pattern, multiline, time, timeUnit } = flags;
  const timeZone = flags.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const shared = {
    timeZone,
    ...(time === undefined ? {} : { time }),
    ...(timeUnit === undefined ? {} : { timeUnit }),
  };
  if (format === "ndjson") {
    if (multiline !== undefined) {
      const detail = "--multiline says how raw lines are read; the lines are ndjson.";
      throw new HadalError("bad-request", { detail });
    }
    return {
      wholeBytes: (bytes: Buffer) => bytes.lastIndexOf(newline) + 1,
      bodyOptions: { contentType: "application/x-ndjson", ...shared },
    };
  }
  const raw = { pattern, ...(multiline === undefined ? {} : { multiline }) };
  const linePattern = createLinePattern(raw);
  return {
    wholeBytes: (bytes: Buffer) => lastEventStart(linePattern, bytes),
    bodyOptions: { contentType: "text/plain", raw, ...shared },
  };
}

function noteRefused(
  path: string,
  { rejected, problems }: SendOutcome,
  note: (text: string) => void,
) {
  for (const { detail, code } of problems.slice(0, problemsShownMax))
    note(`${path}: refused: ${detail} (${code})`);
  const more = rejected - Math.min(problems.length, problemsShownMax);
  if (more > 0) note(`${path}: ${more} more lines were refused`);
}

/** The same command goes on where it ended. */
function stateFolderOf(patterns: readonly string[], { url, table }: FollowFlags): string {
  const paths = patterns.map((pattern) => resolve(pattern)).sort();
  const hash = createHash("sha256")
    .update(JSON.stringify([url, table, paths]))
    .digest("hex");
  const base = process.env.XDG_STATE_HOME || join(homedir(), ".local", "state");
  return join(base, "hadal", "follow", hash.slice(0, 16));
}
