import { HadalError } from "@hadal/sdk";
import type { SchemaTree } from "hyparquet";

type SchemaElement = SchemaTree["element"];

/** Properties of a file's columns that the printer needs. */
export interface ParquetColumns {
  /** Digits behind the point of decimal columns, which are read as their stored integers. */
  readonly scales: ReadonlyMap<string, number>;
  readonly unsigned: ReadonlySet<string>;
  /** Columns of days, and of times not marked as UTC. */
  readonly local: ReadonlySet<string>;
  /** Columns with bytes whose type is not text, also nested. */
  readonly binary: ReadonlySet<string>;
}

/** Unsupported types: a plain number or text would be a different value. */
const unstored: ReadonlySet<string> = new Set([
  ...["TIME", "TIME_MILLIS", "TIME_MICROS", "INTERVAL", "BSON", "VARIANT", "GEOMETRY", "GEOGRAPHY"],
]);
/** Types of map keys that have a unique text, which becomes a name. */
const mapKeys: ReadonlySet<string> = new Set([
  "STRING",
  "ENUM",
  "UUID",
  "INTEGER",
  "INT32",
  "INT64",
]);
const convertedNames: Readonly<Record<string, string>> = { UTF8: "STRING", ENUM: "ENUM" };

/**
 * Sets the type annotations that the library reads, for files that have only the newer or only the older kind. Without them
 * it reads days and decimals as plain integers. Throws `body-undecodable` with the name of an unsupported type.
 */
export function readParquetTypes(schema: SchemaTree): ParquetColumns {
  const scales = new Map<string, number>();
  const unsigned = new Set<string>();
  const local = new Set<string>();
  const binary = new Set<string>();
  for (const column of schema.children) {
    const { element } = column;
    if (column.children.length === 0 && typeOf(element) === "DECIMAL") {
      scales.set(element.name, element.scale ?? scaleOf(element));
      delete element.converted_type;
      delete element.logical_type;
      continue;
    }
    checkTree(column);
    if (isUnsigned64(element)) unsigned.add(element.name);
    if (isLocal(element)) local.add(element.name);
    if (hasBinary(column)) binary.add(element.name);
  }
  return { scales, unsigned, local, binary };
}

function checkTree(tree: SchemaTree): void {
  const { element, children, path } = tree;
  const type = typeOf(element);
  const name = path.join(".");
  if (unstored.has(type)) throw unstoredParquet(name, printType(element));
  if (type === "DECIMAL") {
    throw unstoredParquet(name, `${printType(element)} within a list or struct`);
  }
  if (type === "DATE") element.converted_type = "DATE";
  if (type === "JSON") element.converted_type = "JSON";
  if (type === "ENUM" || type === "STRING") element.converted_type = "UTF8";
  if (type === "MAP" || type === "MAP_KEY_VALUE") checkKeys(tree);
  for (const child of children) checkTree(child);
}

function checkKeys({ children, path }: SchemaTree): void {
  const [key] = children[0]?.children ?? [];
  if (key === undefined || mapKeys.has(typeOf(key.element))) return;
  throw unstoredParquet(path.join("."), `MAP with keys of ${printType(key.element)}`);
}

/** The annotated type, of either kind; else the physical type, or none for a group. */
function typeOf({ logical_type, converted_type, type }: SchemaElement): string {
  if (logical_type !== undefined) return logical_type.type;
  if (converted_type === undefined) return type ?? "";
  if (/^U?INT_/.test(converted_type)) return "INTEGER";
  return convertedNames[converted_type] ?? converted_type;
}

function scaleOf({ logical_type }: SchemaElement): number {
  return logical_type?.type === "DECIMAL" ? logical_type.scale : 0;
}

function isUnsigned64({ logical_type, converted_type }: SchemaElement): boolean {
  if (logical_type?.type !== "INTEGER") return converted_type === "UINT_64";
  return logical_type.bitWidth === 64 && !logical_type.isSigned;
}

function isLocal(element: SchemaElement): boolean {
  const { logical_type: logical } = element;
  if (logical?.type === "TIMESTAMP") return !logical.isAdjustedToUTC;
  return typeOf(element) === "DATE";
}

function hasBinary({ element, children }: SchemaTree): boolean {
  const type = typeOf(element);
  if (type === "BYTE_ARRAY" || type === "FIXED_LEN_BYTE_ARRAY") return true;
  return children.some(hasBinary);
}

/** The name of the type in Parquet's documentation. */
export function printType(element: SchemaElement): string {
  const { logical_type: logical } = element;
  const unit = logical !== undefined && "unit" in logical ? `(${logical.unit})` : "";
  return `${typeOf(element)}${unit}`;
}

function unstoredParquet(name: string, type: string): HadalError {
  return new HadalError("body-undecodable", {
    detail: `Column ${JSON.stringify(name.slice(0, 200))} has the Parquet type ${type}, which Hadal does not store: cast it or leave it out. Nothing of the file was stored.`,
  });
}
