import type { HadalClient } from "@hadal/sdk";
import { printName, sqlFunctions, sqlKeywords } from "@hadal/sdk/sql";

/** What may follow in a prompt: the words that fit, and the part of the line they replace. */
export type Completion = readonly [readonly string[], string];

/** Commands of the prompt itself, with what each does. */
export const promptCommands: readonly (readonly [string, string])[] = [
  ["\\d", "list the tables"],
  ["\\d TABLE", "list the columns of a table"],
  ["\\?", "show this help"],
  ["\\q", "leave (Ctrl-D does too)"],
];

/** Completes tables, columns and words of SQL; asks the server for names, and keeps them while the prompt runs. */
export class PromptWords {
  readonly #client: Pick<HadalClient, "tables" | "table">;
  readonly #columns = new Map<string, readonly string[]>();

  constructor(client: Pick<HadalClient, "tables" | "table">) {
    this.#client = client;
  }

  /** `before`: the lines of the query before this one. */
  async complete(line: string, before: string): Promise<Completion> {
    const command = /^\s*(\\\w*)(\s+(\S*))?$/.exec(line);
    if (command !== null) {
      if (command[2] === undefined) return [["\\d", "\\q", "\\?"], command[1] ?? ""];
      return fitting(await this.#tables(), command[3] ?? "");
    }
    const word = /[\p{L}_][\p{L}\p{N}_$.]*$/u.exec(line)?.[0] ?? "";
    const text = `${before}\n${line.slice(0, line.length - word.length)}`;
    const tables = await this.#tables();
    if (/\bfrom\s+$/i.test(text)) return fitting(tables, word);
    const columns = await this.#columnsFor(`${text}${word}`, tables);
    return fitting([...columns, ...sqlKeywords, ...sqlFunctions], word);
  }

  async #tables(): Promise<readonly string[]> {
    const tables = await this.#client.tables();
    return tables.map(({ name }) => printName(name));
  }

  /** Columns of the table that the query names; of the only one while it names none. */
  async #columnsFor(text: string, tables: readonly string[]): Promise<readonly string[]> {
    const named = /\bfrom\s+("(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$.]*)/iu.exec(text)?.[1];
    const table = named ?? (tables.length === 1 ? tables[0] : undefined);
    if (table === undefined || !tables.includes(table)) return [];
    const known = this.#columns.get(table);
    if (known !== undefined) return known;
    const name = table.startsWith('"') ? table.slice(1, -1).replaceAll('""', '"') : table;
    const { columns } = await this.#client.table(name);
    const names = columns.map((column) => printName(column.name));
    this.#columns.set(table, names);
    return names;
  }
}

/** Words that begin as the given part does, whatever its case; keywords in the case that is being written. */
function fitting(words: readonly string[], part: string): Completion {
  const wanted = part.toLowerCase();
  const isLower = part !== "" && part === wanted;
  const found = words
    .filter((word) => word.toLowerCase().startsWith(wanted))
    .map((word) => (isLower && /^[A-Z]+$/.test(word) ? word.toLowerCase() : word));
  return [[...new Set(found)], part];
}
