import {
  type ColumnFilter,
  type Filter,
  type FilterOperator,
  type FilterValue,
  timeColumn,
} from "@hadal/sdk";
import type { SeededRandom } from "../seed/seededRandom.js";
import type { OracleColumn, OracleTable } from "../table/oracleTable.js";
import { printScaled } from "../table/oracleTable.js";

const orderOperators: readonly FilterOperator[] = ["=", "!=", "<", "<=", ">", ">="];

/** One to three conditions, nested now and then. */
export function randomFilters(table: OracleTable, random: SeededRandom): Filter[] {
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => randomFilter(table, random, 0));
}

function randomFilter(table: OracleTable, random: SeededRandom, depth: number): Filter {
  const nest = depth < 3 && random.chance(0.35);
  if (!nest) return columnFilter(table, random);
  const parts = () =>
    Array.from({ length: random.int(1, 3) }, () => randomFilter(table, random, depth + 1));
  switch (random.int(0, 2)) {
    case 0:
      return { any: parts() };
    case 1:
      return { all: parts() };
    default:
      return { not: randomFilter(table, random, depth + 1) };
  }
}

function columnFilter(table: OracleTable, random: SeededRandom): ColumnFilter {
  if (random.chance(0.06)) return timeFilter(table, random);
  const { name: column, type, decimals } = random.pick(table.columns);
  if (random.chance(0.12)) return { column, op: random.pick(["is missing", "is present"]) };
  if (type === "set" || type === "vector") return listFilter(table, column, type, random);
  if (random.chance(0.25)) {
    const value = Array.from({ length: random.int(1, 6) }, () =>
      randomTerm(table, { name: column, type, decimals }, random),
    );
    return { column, op: random.pick(["in", "not in"] as const), value };
  }
  if (type === "string" && random.chance(0.5)) return textFilter(table, column, random);
  const value = randomTerm(table, { name: column, type, decimals }, random);
  return { column, op: random.pick(orderOperators), value };
}

const setOperators = ["includes any", "includes all", "includes none", "is empty"] as const;
const sequenceOperators = ["starts with", "ends with", "contains sequence"] as const;

/** Elements of a list of the column, side by side, with a stranger among them now and then. */
function listFilter(
  table: OracleTable,
  column: string,
  type: "set" | "vector",
  random: SeededRandom,
): ColumnFilter {
  const ofSequence = type === "vector" && random.chance(0.6);
  const op = random.pick<FilterOperator>(ofSequence ? sequenceOperators : setOperators);
  if (op === "is empty") return { column, op };
  const list = someValue(table, column, random) as readonly string[];
  const start = random.int(0, list.length);
  const value = list.slice(start, start + random.int(1, 3));
  if (value.length === 0 || random.chance(0.15)) value.push(random.pick(["ios", "none", "日本"]));
  if (random.chance(0.1)) value.reverse();
  return { column, op, value };
}

function timeFilter(table: OracleTable, random: SeededRandom): ColumnFilter {
  const { timeMs } = random.pick(table.rows);
  const value = random.chance(0.5) ? timeMs : new Date(timeMs).toISOString();
  return { column: timeColumn, op: random.pick(orderOperators), value };
}

function textFilter(table: OracleTable, column: string, random: SeededRandom): ColumnFilter {
  if (random.chance(0.5)) {
    const text = String(someValue(table, column, random));
    const letters = [...text];
    const start = random.int(0, letters.length);
    const needle = letters.slice(start, start + random.pick([1, 2, 3, 4, 9, 20])).join("");
    return { column, op: "contains", value: needle === "" ? "e" : needle };
  }
  if (random.chance(0.1)) return { column, op: "contains", value: `needle-${random.int(0, 31)}` };
  return { column, op: random.chance(0.75) ? "~" : "!~", value: random.pick(patterns) };
}

/** Patterns that RE2, DuckDB and JavaScript read alike. */
const patterns = [
  "^/api/v[12]/",
  "item-\\d+$",
  "item-(1|2|3)\\d",
  "e",
  "^.$",
  "^$",
  "^[a-z]+$",
  "[^a-z/0-9-]",
  "id-[0-9a-f]{2}$",
  "(log|sea)",
  "z.rich",
  "本",
  "^..?$",
  "\u{1F41F}",
  "t.*e",
  "^(ann|bob)$",
  "cart/\\d*77 took",
  "ms: (200|404) ",
  "needle-[12]$",
];

/** A value of the column, or one near it. */
function randomTerm(table: OracleTable, column: OracleColumn, random: SeededRandom): FilterValue {
  const value = someValue(table, column.name, random);
  if (typeof value !== "bigint") {
    const text = String(value);
    if (column.name === "flag" && random.chance(0.5)) return text === "true";
    return random.chance(0.15) ? `${text}a` : text;
  }
  const near = random.chance(0.3) ? value + BigInt(random.int(-2, 2)) : value;
  const text = printScaled(near, column.decimals);
  // Half a step beyond the column's digits: equal to nothing, but it orders.
  if (random.chance(0.1)) return text.includes(".") ? `${text}5` : `${text}.5`;
  const number = Number(text);
  const safe = column.decimals > 0 ? String(number) === text : Number.isSafeInteger(number);
  return safe && random.chance(0.8) ? number : text;
}

function someValue(table: OracleTable, column: string, random: SeededRandom) {
  for (let tries = 0; tries < 50; tries++) {
    const value = random.pick(table.rows).values.get(column);
    if (value !== undefined) return value;
  }
  const [first] = table.rows;
  const value = first?.values.get(column);
  if (value === undefined) throw new Error(`column ${column} has no value`);
  return value;
}
