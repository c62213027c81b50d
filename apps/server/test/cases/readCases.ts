import { readFileSync } from "node:fs";

/** A question with what has to come of it: DuckDB's answer, or a refusal. */
export interface Case {
  readonly name: string;
  /** Where it stands in its file, counted from 1. */
  readonly line: number;
  readonly sql: string;
  readonly expected:
    | { readonly kind: "answer"; readonly duckdbSql: string }
    | { readonly kind: "refused"; readonly code: string; readonly says: string };
}

/**
 * Reads a file of cases, in the manner of sqllogictest: `query NAME`, the SQL, and if need be
 * `---- duckdb` with the text for DuckDB, or `---- refused CODE` with words of the refusal. Cases are apart
 * by an empty line; `#` begins a comment. `{words}` stand for their values.
 */
export function readCases(file: URL, words: Readonly<Record<string, string>>): readonly Case[] {
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, word: string) => {
      const value = words[word];
      if (value === undefined) throw new Error(`${file}: {${word}} stands for nothing`);
      return value;
    });
  const cases: Case[] = [];
  let line = 1;
  for (const block of readFileSync(file, "utf8").split("\n\n")) {
    const text = block
      .split("\n")
      .filter((part) => !part.startsWith("#"))
      .join("\n")
      .trim();
    if (text !== "") cases.push(readCase(text, line, fill));
    line += block.split("\n").length + 1;
  }
  return cases;
}

function readCase(text: string, line: number, fill: (text: string) => string): Case {
  const [asked = "", rest] = text.split(/\n---- (?=duckdb|refused)/);
  const [head = "", ...sqlLines] = asked.split("\n");
  const name = /^query (.+)$/.exec(head)?.[1];
  if (name === undefined) throw new Error(`line ${line}: expected "query NAME", found "${head}"`);
  const sql = fill(sqlLines.join("\n"));
  const [how = "", ...lines] = (rest ?? "").split("\n");
  const refused = /^refused ([\w-]+)$/.exec(how)?.[1];
  if (refused !== undefined) {
    return { name, line, sql, expected: { kind: "refused", code: refused, says: lines.join(" ") } };
  }
  const duckdbSql = how === "duckdb" ? fill(lines.join("\n")) : sql;
  return { name, line, sql, expected: { kind: "answer", duckdbSql } };
}
