import { jsonLanguage } from "@codemirror/lang-json";
import { bigintAsText, HadalError, type ProblemPart, type Query } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import { printSql, readSql } from "@hadal/sdk/sql";

/** Loaded on demand: a query as text, in either language. */

export type QueryLanguage = "sql" | "json";

/** A problem and its part of the text, by offsets. */
export interface TextFault {
  readonly from: number;
  readonly to: number;
  readonly detail: string;
}

export interface TextQuery {
  readonly query: Query;
  /** Positions in the text for the server's problems; a problem without a position is at the start. */
  readonly faultsOf: (error: HadalError) => readonly TextFault[];
}

export type ReadText =
  | ({ readonly ok: true } & TextQuery)
  | { readonly ok: false; readonly faults: readonly TextFault[] };

export function printQueryText(query: Query, language: QueryLanguage): string {
  return language === "sql" ? printSql(query) : JSON.stringify(query, bigintAsText, 2);
}

export function readQueryText(text: string, language: QueryLanguage): ReadText {
  return language === "sql" ? readSqlText(text) : readJsonText(text);
}

function readSqlText(text: string): ReadText {
  const faultsOf = (error: HadalError): readonly TextFault[] => {
    const parts = error.errors.length > 0 ? error.errors : [partOf(error)];
    return parts.map((part) => ({ ...wordAt(text, offsetOf(text, part)), detail: part.detail }));
  };
  try {
    const { query, explain } = readSql(text);
    return {
      ok: true,
      query,
      faultsOf: (error) => {
        const explained = explain(error);
        return faultsOf(explained instanceof HadalError ? explained : error);
      },
    };
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return { ok: false, faults: faultsOf(error) };
  }
}

function readJsonText(text: string): ReadText {
  const faultsOf = (error: HadalError): readonly TextFault[] => {
    const parts = error.errors.length > 0 ? error.errors : [partOf(error)];
    return parts.map((part) => ({ ...placeInJson(text, part.path ?? ""), detail: part.detail }));
  };
  try {
    return { ok: true, query: checkQuery(JSON.parse(text)), faultsOf };
  } catch (error) {
    if (error instanceof HadalError) return { ok: false, faults: faultsOf(error) };
    if (!(error instanceof SyntaxError)) throw error;
    return {
      ok: false,
      faults: [{ ...brokenPlace(text), detail: `This is no JSON: ${error.message}` }],
    };
  }
}

const partOf = (error: HadalError): ProblemPart => ({ code: error.code, detail: error.message });

type Place = Pick<TextFault, "from" | "to">;

/** Lines and columns count from 1; a column is a code point. */
function offsetOf(text: string, { line = 1, column = 1 }: ProblemPart): number {
  const lines = text.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const before = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("");
  return Math.min(text.length, start + before.length);
}

/** The word that begins there, or one character; at the end of the text the last one. */
function wordAt(text: string, at: number): Place {
  const from = Math.max(0, Math.min(at, text.length - 1));
  const word = /^[\w$.]+/.exec(text.slice(from))?.[0] ?? "";
  return { from, to: Math.min(text.length, from + Math.max(1, word.length)) };
}

type JsonNode = ReturnType<typeof jsonLanguage.parser.parse>["topNode"];

/** The value at `filter[0].column`, or the smallest existing value around it. */
export function placeInJson(text: string, path: string): Place {
  const keys = path.match(/[^.[\]]+/g) ?? [];
  let node = jsonLanguage.parser.parse(text).topNode.firstChild;
  for (const key of keys) {
    const next = node === null ? null : childAt(text, node, key);
    if (next === null) break;
    node = next;
  }
  return node === null
    ? { from: 0, to: Math.min(1, text.length) }
    : { from: node.from, to: node.to };
}

function childAt(text: string, node: JsonNode, key: string): JsonNode | null {
  const children = childrenOf(node);
  if (node.name === "Array") {
    return children.filter(({ name }) => !["[", "]", ",", "⚠"].includes(name))[Number(key)] ?? null;
  }
  const property = children.find((child) => {
    const name = child.name === "Property" ? child.firstChild : null;
    return name != null && text.slice(name.from, name.to) === JSON.stringify(key);
  });
  return property?.lastChild ?? null;
}

function childrenOf(node: JsonNode): readonly JsonNode[] {
  const children: JsonNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** Position of the first JSON syntax error. */
function brokenPlace(text: string): Place {
  let at: number | null = null;
  jsonLanguage.parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError && at === null) at = node.from;
    },
  });
  return wordAt(text, at ?? text.length);
}
