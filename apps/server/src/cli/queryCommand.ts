import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import {
  checkQuery,
  createClient,
  durationMs,
  HadalError,
  parseDuration,
  type Query,
  type Result,
} from "@hadal/sdk";
import { Command, InvalidArgumentError, Option } from "commander";
import { WebSocket } from "ws";
import { exitCodes } from "./exitCode.js";
import { printLines } from "./printLines.js";
import { printCompleteness, printResult, type ResultFormat, resultFormats } from "./printResult.js";
import type { Terminal } from "./terminal.js";

interface QueryFlags {
  readonly url: string;
  readonly format?: ResultFormat | "arrow";
  readonly timeout?: number;
  readonly exact?: boolean;
}

export function queryCommand(terminal: Terminal, exitWith: (code: number) => void): Command {
  return new Command("query")
    .description("ask once and print the answer")
    .argument("<query>", "the query as JSON, a file that holds it, or - for standard input")
    .addOption(
      new Option(
        "--format <format>",
        "how to print (default: table on a terminal, else json)",
      ).choices([...resultFormats, "arrow"]),
    )
    .option("--timeout <duration>", "longest to wait for the leaves, such as 5s", parseTimeout)
    .option("--exact", "refuse to answer with less than all rows")
    .action(async (source: string, flags: QueryFlags) => {
      const query = applyFlags(checkQuery(parseQuery(await readSource(source))), flags);
      if (flags.format === "arrow") {
        await printArrow(query, flags.url, terminal);
        return;
      }
      const result = await ask(query, flags.url, terminal);
      if (result === null) {
        exitWith(exitCodes.interrupted);
        return;
      }
      const format = flags.format ?? (terminal.outIsTerminal ? "table" : "json");
      await printLines(
        printResult(result, format, terminal.outIsTerminal ? "cut" : "whole"),
        terminal,
      );
    });
}

/** Writes the answer as an Arrow stream, whose schema holds the completeness. */
async function printArrow(query: Query, url: string, terminal: Terminal): Promise<void> {
  if (terminal.outIsTerminal) {
    const detail = "Arrow is not for reading: send it to a file, such as > answer.arrows.";
    throw new HadalError("bad-request", { detail });
  }
  const client = createClient({ url, webSocket: WebSocket });
  try {
    await terminal.write(await client.queryArrow(query));
  } finally {
    client.close();
  }
}

/** Reads the JSON of a query. SQL is refused by name, other text with where it stops being JSON. */
function parseQuery(queryText: string): unknown {
  if (/^\s*(select|with|explain|show)\b/i.test(queryText)) {
    throw new HadalError("unsupported", {
      what: "SQL",
      advice: "It follows in a later version; write the query as JSON for now.",
    });
  }
  try {
    return JSON.parse(queryText) as unknown;
  } catch (error) {
    throw new HadalError("bad-request", {
      detail: `The query is not JSON: ${(error as Error).message}`,
    });
  }
}

/** Text that looks like a query is one; all else names a file. */
function readSource(source: string): Promise<string> {
  if (source === "-") return text(process.stdin);
  const isQuery = /^\s*([{[]|(select|with|explain|show)\s)/i.test(source);
  return isQuery ? Promise.resolve(source) : readFile(source, "utf8");
}

function applyFlags(query: Query, flags: QueryFlags): Query {
  return checkQuery({
    ...query,
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
    ...(flags.exact === true ? { exact: true } : {}),
  });
}

/** Asks, showing progress to a person; null when that person interrupted it. */
async function ask(query: Query, url: string, terminal: Terminal): Promise<Result | null> {
  const client = createClient({ url, webSocket: WebSocket });
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  const show = (result: Result, end: string): void => {
    if (!terminal.errorIsTerminal) return;
    const { stats, completeness } = result;
    void terminal.writeError(
      `\r\x1b[K${printCompleteness(completeness)} · ${stats.rowsScanned} rows scanned · ${Math.round(stats.elapsedMs)} ms${end}`,
    );
  };
  try {
    const result = await client.query(query, {
      signal: interrupt.signal,
      onPartial: (partial) => show(partial, ""),
    });
    show(result, "\n");
    return result;
  } catch (error) {
    if (interrupt.signal.aborted) return null;
    throw error;
  } finally {
    process.off("SIGINT", onInterrupt);
    client.close();
  }
}

function parseTimeout(value: string): number {
  try {
    return durationMs(parseDuration(value));
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
