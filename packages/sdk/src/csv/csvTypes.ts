import type { CsvColumnType, CsvParameters, CsvReading } from "../model/ingest/ingest.js";
import { HadalError } from "../model/problem/problem.js";
import { decimalsMax } from "../model/schema.js";

/** Far more than anybody writes by hand; a wide file has as many columns. */
const typesMax = 10_000;
const nullTextsMax = 100;

const words: ReadonlyMap<string, CsvColumnType> = new Map<string, CsvColumnType>([
  ["string", "string"],
  ["text", "string"],
  ["number", "number"],
  ["decimal", "number"],
  ["integer", "integer"],
  ["int", "integer"],
  ["set", "set"],
  ["vector", "vector"],
]);

/** Digits behind the point of `decimal(2)`; null for other types. */
export function csvDecimals(type: CsvColumnType): number | null {
  const match = /^decimal\((\d+)\)$/.exec(type);
  return match === null ? null : Number(match[1]);
}

/**
 * `price:decimal(2),zip:string` as types by name; a name with a comma or a quote stands in quotes,
 * as in CSV. Throws a HadalError.
 */
export function parseCsvTypes(text: string): ReadonlyMap<string, CsvColumnType> {
  const types = new Map<string, CsvColumnType>();
  for (const { quoted, plain } of splitList(text)) {
    const colon = plain.lastIndexOf(":");
    const name = quoted ?? plain.slice(0, Math.max(0, colon));
    const word = plain.slice(colon + 1).trim();
    const isWhole = colon >= 0 && name !== "" && (quoted === null || colon === 0);
    if (!isWhole) {
      throw badTypes(`${JSON.stringify(plain.slice(0, 50))} is not a column's name and its type`);
    }
    if (types.has(name)) throw badTypes(`${JSON.stringify(name.slice(0, 50))} is named twice`);
    types.set(name, readType(word));
    if (types.size > typesMax) throw badTypes(`it names more than ${typesMax} columns`);
  }
  return types;
}

/** The text that {@link parseCsvTypes} reads. */
export function printCsvTypes(types: Iterable<readonly [string, CsvColumnType]>): string {
  return [...types]
    .map(([name, type]) => {
      const isPlain = !/[",]/.test(name);
      return `${isPlain ? name : `"${name.replaceAll('"', '""')}"`}:${type}`;
    })
    .join(",");
}

/**
 * Parameters that read the next body of a file as the ones before it were read: types that are
 * known already stay.
 */
export function followCsv(
  parameters: CsvParameters,
  { delimiter, decimal, columns }: CsvReading,
): CsvParameters {
  const types = new Map(parameters.types === undefined ? [] : parseCsvTypes(parameters.types));
  for (const { name, type } of columns)
    if (type !== null && !types.has(name)) types.set(name, type);
  const known = types.size === 0 ? {} : { types: printCsvTypes(types) };
  const mark = parameters.decimal ?? decimal ?? undefined;
  return { ...parameters, delimiter, decimal: mark, ...known };
}

/**
 * `NA,-` as the texts that mean missing; one with a comma or a quote stands in quotes, as in CSV.
 */
export function parseNullTexts(text: string): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { quoted, plain } of splitList(text)) {
    if (quoted !== null && plain !== "") {
      throw new HadalError("bad-request", {
        detail: `\`null\` has text behind a closing quote: ${JSON.stringify(plain.slice(0, 50))}.`,
      });
    }
    texts.add(quoted ?? plain);
  }
  if (texts.size <= nullTextsMax) return texts;
  throw new HadalError("bad-request", {
    detail: `\`null\` lists more than ${nullTextsMax} texts (nullTextsMax).`,
  });
}

function readType(word: string): CsvColumnType {
  const known = words.get(word.toLowerCase());
  if (known !== undefined) return known;
  const decimals = /^decimal\((\d{1,3})\)$/i.exec(word)?.[1];
  if (decimals !== undefined && Number(decimals) <= decimalsMax)
    return `decimal(${Number(decimals)})`;
  throw badTypes(`${JSON.stringify(word.slice(0, 50))} is not a type`);
}

/** An element of a list: its quoted beginning, if it has one, and the rest as it stands. */
interface ListPart {
  readonly quoted: string | null;
  readonly plain: string;
}

function* splitList(text: string): Generator<ListPart> {
  const pattern = /(?:"((?:[^"]|"")*)")?([^,]*)(,|$)/y;
  for (;;) {
    const match = pattern.exec(text);
    if (match === null) return;
    const [whole, quoted, plain = "", end] = match;
    if (whole !== "" || end === ",") yield { quoted: quoted?.replaceAll('""', '"') ?? null, plain };
    if (end !== ",") return;
  }
}

function badTypes(fault: string): HadalError {
  return new HadalError("bad-request", {
    detail: `\`types\`: ${fault}. Write name:type, separated by commas; types are string, integer, number, decimal(0) to decimal(${decimalsMax}), set and vector.`,
  });
}
