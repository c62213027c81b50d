import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import type { ColumnInfo, TableInfo } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { QueryLanguage } from "../../../draft/text/queryText.js";
import { completeQuery } from "./completeQuery.js";

const columns = [
  { name: "latency_us", type: "int", decimals: 0 },
  { name: "price", type: "int", decimals: 2 },
  { name: "user id", type: "string", decimals: 0 },
] as ColumnInfo[];
const tables = [{ name: "requests" }] as TableInfo[];

/** The completions at the end of the text. */
async function complete(language: QueryLanguage, text: string, explicit: boolean) {
  const source = completeQuery(language, tables, columns);
  const state = EditorState.create({ doc: text });
  return (await source(
    new CompletionContext(state, text.length, explicit),
  )) as CompletionResult | null;
}
const labels = (result: CompletionResult | null) => result?.options.map(({ label }) => label) ?? [];

describe("SQL is completed", () => {
  test("from the start of the word, with columns, tables, functions and keywords", async () => {
    const result = await complete("sql", "SELECT lat", false);
    expect(result?.from).toBe("SELECT ".length);
    expect(labels(result)).toEqual(
      expect.arrayContaining(["latency_us", '"user id"', "requests", "count", "WHERE"]),
    );
    expect(result?.options.find(({ label }) => label === "price")?.detail).toBe("decimal");
  });
  test("columns first", async () => {
    const { options = [] } = (await complete("sql", "l", false)) ?? {};
    const best = Math.max(...options.map(({ boost = 0 }) => boost));
    expect(options.filter(({ boost }) => boost === best).map(({ label }) => label)).toEqual([
      ...["latency_us", "price", '"user id"'],
    ]);
  });
  test("between words on request only", async () => {
    expect(await complete("sql", "SELECT ", false)).toBeNull();
    expect(labels(await complete("sql", "SELECT ", true))).toContain("latency_us");
  });
});

describe("JSON is completed", () => {
  test("within quotes, with names, keys and operators", async () => {
    const result = await complete("json", '{"groupBy": ["us', false);
    expect(result?.from).toBe('{"groupBy": ["'.length);
    expect(labels(result)).toEqual(
      expect.arrayContaining(["user id", "requests", "aggregates", "includes any"]),
    );
  });
  test("not outside quotes", async () => {
    expect(await complete("json", "{", true)).toBeNull();
  });
});
