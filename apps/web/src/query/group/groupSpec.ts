import { type BucketBound, type ElementGroup, exactNumber, type NumberBucket } from "@hadal/sdk";
import { printName, TokenReader } from "../filter/token.js";

/** A group of the form: a column's values, the elements of its lists, or ranges of its numbers. Views add time. */
export type GroupSpec = string | ElementGroup | NumberBucket;

/** The grouped column. */
export const groupColumn = (spec: GroupSpec): string =>
  typeof spec === "string" ? spec : "element" in spec ? spec.element : spec.bucket;

/** Name of its column in the result. */
export const groupName = (spec: GroupSpec): string =>
  typeof spec === "string" ? spec : (spec.as ?? groupColumn(spec));

/** For chips and titles: `service`, `each of tags`, `latency_us in steps of 100`. */
export function groupLabel(spec: GroupSpec): string {
  if (typeof spec === "string") return spec;
  if ("element" in spec) return `each of ${spec.element}`;
  if (spec.edges !== undefined) return `${spec.bucket} in ranges`;
  return spec.scale === "log"
    ? `${spec.bucket}, log scale`
    : `${spec.bucket} in steps of ${spec.width ?? 1}`;
}

/** `service`, `element(tags)`, `bucket(latency_us:log)`, `bucket(latency_us:width=100)`, `bucket(x:edges=0,10)`. */
export function printGroup(spec: GroupSpec): string {
  if (typeof spec === "string") return printName(spec);
  const as = spec.as === undefined ? "" : `:as=${printName(spec.as)}`;
  if ("element" in spec) return `element(${printName(spec.element)}${as})`;
  const steps =
    spec.edges !== undefined
      ? `:edges=${spec.edges.join(",")}`
      : spec.scale === "log"
        ? ":log"
        : spec.width === undefined
          ? ""
          : `:width=${spec.width}`;
  return `bucket(${printName(spec.bucket)}${steps}${as})`;
}

/** Reads what {@link printGroup} writes; throws a GrammarError that says where it cannot. */
export function parseGroup(text: string): GroupSpec {
  const reader = new TokenReader(text);
  const word = reader.word();
  if (word.quoted || !reader.take("(")) {
    reader.end();
    return word.text;
  }
  const spec = readSpec(reader, word.text);
  reader.expect(")");
  reader.end();
  return spec;
}

function readSpec(reader: TokenReader, kind: string): GroupSpec {
  if (kind !== "element" && kind !== "bucket") throw reader.fault(`"${kind}(" splits nothing`);
  const column = reader.word().text;
  let more: Partial<Pick<NumberBucket, "scale" | "width" | "edges" | "as">> = {};
  while (reader.take(":")) {
    const word = reader.word().text;
    if (word === "log" && kind === "bucket") {
      more = { ...more, scale: "log" };
      continue;
    }
    reader.expect("=");
    if (word === "as") more = { ...more, as: reader.word().text };
    else if (word === "width" && kind === "bucket") more = { ...more, width: readNumber(reader) };
    else if (word === "edges" && kind === "bucket") more = { ...more, edges: readNumbers(reader) };
    else throw reader.fault(`"${word}=" is not known here`);
  }
  return kind === "element" ? { element: column, ...more } : { bucket: column, ...more };
}

function readNumbers(reader: TokenReader): BucketBound[] {
  const numbers = [readNumber(reader)];
  while (reader.take(",")) numbers.push(readNumber(reader));
  return numbers;
}

function readNumber(reader: TokenReader): BucketBound {
  const { text } = reader.word();
  const isNumber = /^-?\d/.test(text) && Number.isFinite(Number(text));
  if (!isNumber) throw reader.fault(`"${text}" is no number`);
  return exactNumber(text);
}
