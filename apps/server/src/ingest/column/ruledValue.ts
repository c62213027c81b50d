import { type ColumnType, decimalsDefault } from "@hadal/sdk";
import { compareCodePoints } from "../../base/text/codePointOrder.js";
import { NumberText } from "../value/numberText.js";
import { quote, RowRejected } from "../value/rowRejected.js";
import { elementText, nameOf } from "./cellChecks.js";
import type { PathNode } from "./rowPath.js";

const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

export const decimalsOf = (node: PathNode): number => node.rule?.decimals ?? decimalsDefault;

/**
 * A value in the form that reads as the type that is set for its column; throws RowRejected where
 * it has none.
 */
export function toRuledValue(value: unknown, node: PathNode): unknown {
  const type = node.rule?.type;
  // The names in an object are separate columns.
  if (type === undefined || value === null || isNested(value)) return value;
  if (type === "int") return toNumber(value, node);
  const elements = elementsOf(value);
  if (type === "string") {
    if (elements === null) return elementText(value, 0, node);
    throw mismatch("a list", type, node);
  }
  const texts = (elements ?? [value]).map((element, i) => elementText(element, i, node));
  if (type === "set") return { $set: texts };
  const isSet = elements !== null && !Array.isArray(value);
  return isSet ? [...new Set(texts)].sort(compareCodePoints) : texts;
}

function toNumber(value: unknown, node: PathNode): unknown {
  if (typeof value === "number" || value instanceof NumberText) return value;
  if (typeof value === "string" && numberPattern.test(value)) return new NumberText(value);
  throw mismatch(quote(value), "int", node);
}

/** The elements of a list or set; null for other values. */
function elementsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null || value instanceof NumberText) return null;
  const { $set } = value as { readonly $set?: unknown };
  return Array.isArray($set) ? $set : null;
}

/** An object that is no set; a broken set is refused by its reader. */
function isNested(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof NumberText) return false;
  return elementsOf(value) === null;
}

function mismatch(found: string, type: ColumnType, node: PathNode): RowRejected {
  const wanted = type === "int" ? "a number, or the text of one" : "a single value";
  const detail = `${nameOf(node)} is ${found}; the table's settings want ${wanted} there (type ${type}).`;
  return new RowRejected("type-mismatch", detail);
}
