import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type HadalClient, HadalError } from "@hadal/sdk";
import { printColumns, printTables } from "../inspect/tablesCommand.js";
import { printError } from "../terminal/errorLine.js";
import { printResult } from "./printResult.js";
import { historyLinesMax, readHistory, writeHistory } from "./promptHistory.js";
import { PromptWords, promptCommands } from "./promptWords.js";
import { readQueryInput } from "./queryInput.js";
import { lineProgress, noProgress, printProgress, runQuery } from "./runQuery.js";
import { isBlank, isStatement } from "./statementEnd.js";

export interface PromptSettings {
  readonly input: Readable;
  readonly output: Writable;
  /** A person types: lines can be edited, completed and looked back at. */
  readonly isTerminal: boolean;
  /** Where lines are kept from one prompt to the next; null keeps none. */
  readonly historyFile: string | null;
  readonly url: string;
}

const firstPrompt = "hadal> ";
const nextPrompt = "    -> ";

/** Reads queries line by line, each up to its semicolon, and prints their answers. */
export class Prompt {
  readonly #client: HadalClient;
  readonly #settings: PromptSettings;
  readonly #words: PromptWords;
  /** Lines of the query that is being written. */
  #text = "";
  #running: AbortController | null = null;
  #lines: Interface | null = null;

  constructor(client: HadalClient, settings: PromptSettings) {
    this.#client = client;
    this.#settings = settings;
    this.#words = new PromptWords(client);
  }

  /** Resolves when the person leaves or the input ends. */
  async run(): Promise<void> {
    const { input, output, isTerminal, historyFile, url } = this.#settings;
    let history = historyFile === null ? [] : readHistory(historyFile);
    const lines = createInterface({
      input,
      output,
      terminal: isTerminal,
      prompt: firstPrompt,
      history,
      historySize: historyLinesMax,
      removeHistoryDuplicates: true,
      completer: (line: string, done: CompleterDone) => this.#complete(line, done),
    });
    this.#lines = lines;
    lines.on("history", (newestFirst) => {
      history = newestFirst;
    });
    lines.on("SIGINT", () => this.interrupt());
    this.#print(`Hadal at ${url}. End a query with ; and see \\? for help.\n`);
    lines.prompt();
    try {
      for await (const line of lines) {
        if ((await this.#take(line)) === "leave") break;
        lines.setPrompt(this.#text === "" ? firstPrompt : nextPrompt);
        lines.prompt();
      }
    } finally {
      lines.close();
      if (historyFile !== null) writeHistory(historyFile, history);
    }
  }

  /** Ctrl-C: ends the query that runs, else drops the one that is being written. */
  interrupt(): void {
    if (this.#running !== null) {
      this.#running.abort();
      return;
    }
    const lines = this.#lines;
    const isEmpty = this.#text === "" && (lines?.line ?? "") === "";
    this.#text = "";
    // Clears the typed line, too: to its end, then all before it.
    if (lines?.terminal === true) {
      lines.write(null, { ctrl: true, name: "e" });
      lines.write(null, { ctrl: true, name: "u" });
    }
    this.#print(isEmpty ? "\n(\\q or Ctrl-D leaves)\n" : "\n");
    lines?.setPrompt(firstPrompt);
    lines?.prompt();
  }

  async #take(line: string): Promise<"leave" | "stay"> {
    const isFresh = isBlank(this.#text);
    const command = isFresh ? /^\s*(\\\S*|quit|exit)\s*;?\s*(.*?)\s*;?\s*$/i.exec(line) : null;
    if (command !== null) {
      this.#text = "";
      return this.#command((command[1] ?? "").toLowerCase(), command[2] ?? "");
    }
    this.#text = isFresh ? line : `${this.#text}\n${line}`;
    if (isBlank(this.#text)) this.#text = "";
    if (!isStatement(this.#text)) return "stay";
    const text = this.#text;
    this.#text = "";
    if (text.trim() !== ";") await this.#ask(text);
    return "stay";
  }

  async #command(name: string, argument: string): Promise<"leave" | "stay"> {
    switch (name) {
      case "\\q":
      case "quit":
      case "exit":
        return "leave";
      case "\\?":
        for (const [command, does] of promptCommands)
          this.#print(`${command.padEnd(10)} ${does}\n`);
        this.#print("Everything else is SQL, or a query as JSON, up to its semicolon.\n");
        return "stay";
      case "\\d":
        await this.#guard(async () => {
          const table = argument.replace(/^"(.*)"$/, (_, inner: string) =>
            inner.replaceAll('""', '"'),
          );
          const found =
            table === ""
              ? printTables(await this.#client.tables())
              : printColumns(await this.#client.table(table));
          for (const line of found) this.#print(`${line}\n`);
        });
        return "stay";
      default:
        this.#print(`No command is called ${name.slice(0, 40)}: see \\?.\n`);
        return "stay";
    }
  }

  async #ask(text: string): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    const progress = this.#settings.isTerminal
      ? lineProgress((line) => this.#print(line))
      : noProgress;
    await this.#guard(async () => {
      const question = readQueryInput(text);
      // The totals follow below the answer.
      const quiet = { ...progress, done: () => progress.done(null) };
      const result = await runQuery(this.#client, question, running.signal, quiet);
      if (result === null) {
        this.#print("Cancelled.\n");
        return;
      }
      for (const line of printResult(result, "table", "cut")) this.#print(`${line}\n`);
      const count = result.rows.length === 1 ? "1 row" : `${result.rows.length} rows`;
      this.#print(`(${count} · ${printProgress(result)})\n`);
    }, text);
    this.#running = null;
  }

  /** Prints errors and continues. */
  async #guard(run: () => Promise<void>, text = ""): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#print(`${printError(error)}\n${printCaret(error, text)}`);
    }
  }

  #complete(line: string, done: CompleterDone): void {
    this.#words.complete(line, this.#text).then(
      ([words, part]) => done(null, [[...words], part]),
      // Without an answer nothing is offered: the line itself is what matters.
      () => done(null, [[], line]),
    );
  }

  #print(text: string): void {
    this.#settings.output.write(text);
  }
}

type CompleterDone = (error: null, result: [string[], string]) => void;

/** The line of a query at fault, and a mark below the place. */
function printCaret(error: unknown, text: string): string {
  if (!(error instanceof HadalError)) return "";
  const { line, column } = error.errors[0] ?? {};
  if (line === undefined || column === undefined) return "";
  const shown = text.split("\n")[line - 1];
  if (shown === undefined || shown.length > 200) return "";
  return `  ${shown}\n  ${" ".repeat(column - 1)}^\n`;
}
