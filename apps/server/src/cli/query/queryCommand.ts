import { createReadStream } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { durationMs, type HadalClient, HadalError, parseDuration, type Result } from "@hadal/sdk";
import { Command, InvalidArgumentError, Option } from "commander";
import { WebSocket } from "ws";
import { connect } from "../connect/connect.js";
import { exitCodes } from "../terminal/exitCode.js";
import { printLines } from "../terminal/printLines.js";
import type { Terminal } from "../terminal/terminal.js";
import { printResult, type ResultFormat, resultFormats } from "./printResult.js";
import { Prompt } from "./prompt.js";
import { type QueryInput, readQueryInput, readSource } from "./queryInput.js";
import { lineProgress, noProgress, runQuery } from "./runQuery.js";
import { watchQuery } from "./watchQuery.js";

interface QueryFlags {
  readonly url: string;
  readonly file?: string;
  readonly format?: ResultFormat | "arrow";
  readonly timeout?: number;
  readonly exact?: boolean;
  readonly freshness?: number;
  /** Milliseconds between answers; true: as often as it does by default. */
  readonly watch?: number | true;
}

/** How often `--watch` asks when it does not say. */
const watchMsDefault = 2_000;

export function queryCommand(terminal: Terminal, exitWith: (code: number) => void): Command {
  return new Command("query")
    .description("ask, and print the answer; without a query on a terminal: a prompt")
    .argument("[query]", "SQL, the query as JSON, a file with either, or - for standard input")
    .option("--file <path>", "the file with the query")
    .addOption(
      new Option(
        "--format <format>",
        "how to print (default: table on a terminal, else json)",
      ).choices([...resultFormats, "arrow"]),
    )
    .option("--timeout <duration>", "longest to wait for the leaves, such as 5s", parseLength)
    .option("--exact", "refuse to answer with less than all rows")
    .option("--freshness <duration>", "how old an answer may be, such as 10s", parseLength)
    .option("--watch [every]", "ask again and again, such as every 5s (default 2s)", parseLength)
    .action(async (source: string | undefined, flags: QueryFlags) => {
      const client = await connect(flags.url, { webSocket: WebSocket });
      const everyMs = flags.watch === true ? watchMsDefault : flags.watch;
      try {
        if (source === undefined && flags.file === undefined && process.stdin.isTTY === true) {
          await runPrompt(client, flags);
          return;
        }
        const question = await readAsked(source, flags);
        const ended = await untilInterrupted((signal) =>
          everyMs === undefined
            ? askOnce(client, question, flags, { terminal, signal })
            : watchQuery(client, question, { everyMs, signal }, (result) =>
                printAnswer(result, flags, terminal),
              ),
        );
        if (ended === "interrupted") exitWith(exitCodes.interrupted);
      } finally {
        client.close();
      }
    });
}

/** The query from the words, the file or standard input. */
async function readAsked(source: string | undefined, flags: QueryFlags): Promise<QueryInput> {
  if (source !== undefined && flags.file !== undefined) {
    throw new HadalError("bad-request", { detail: "Give a query or --file, not both." });
  }
  const input = flags.file === undefined ? process.stdin : createReadStream(flags.file);
  return readQueryInput(await readSource(source ?? "-", input), {
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
    ...(flags.exact === true ? { exact: true } : {}),
    ...(flags.freshness === undefined ? {} : { freshnessMs: flags.freshness }),
  });
}

/** Runs until done or until Ctrl-C, which ends what the servers do for it. */
async function untilInterrupted(
  run: (signal: AbortSignal) => Promise<void>,
): Promise<"done" | "interrupted"> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  try {
    await run(interrupt.signal);
    return interrupt.signal.aborted ? "interrupted" : "done";
  } catch (error) {
    if (interrupt.signal.aborted) return "interrupted";
    throw error;
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

async function askOnce(
  client: HadalClient,
  input: QueryInput,
  flags: QueryFlags,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<void> {
  if (flags.format === "arrow") {
    await printArrow(client, input, terminal, signal);
    return;
  }
  const write = (line: string): void => void terminal.writeError(line);
  const progress = terminal.errorIsTerminal ? lineProgress(write) : noProgress;
  const result = await runQuery(client, input, signal, progress);
  if (result !== null) await printAnswer(result, flags, terminal);
}

async function printAnswer(result: Result, flags: QueryFlags, terminal: Terminal): Promise<void> {
  const format = flags.format ?? (terminal.outIsTerminal ? "table" : "json");
  if (format === "arrow") {
    const detail = "--watch prints answers as table, json, ndjson or csv.";
    throw new HadalError("bad-request", { detail });
  }
  const lines = printResult(result, format, terminal.outIsTerminal ? "cut" : "whole");
  await printLines(lines, terminal);
}

/** Writes the answer as an Arrow stream, with the completeness in its schema. */
async function printArrow(
  client: HadalClient,
  { query, explain }: QueryInput,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  if (terminal.outIsTerminal) {
    const detail = "Arrow is not for reading: send it to a file, such as > answer.arrows.";
    throw new HadalError("bad-request", { detail });
  }
  const bytes = await client.queryArrow(query, { signal }).catch((error: unknown) => {
    throw explain(error);
  });
  await terminal.write(bytes);
}

async function runPrompt(client: HadalClient, flags: QueryFlags): Promise<void> {
  const prompt = new Prompt(client, {
    input: process.stdin,
    output: process.stdout,
    isTerminal: true,
    historyFile: join(homedir(), ".hadal_history"),
    url: flags.url,
  });
  await prompt.run();
}

function parseLength(value: string): number {
  try {
    return durationMs(parseDuration(value));
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
