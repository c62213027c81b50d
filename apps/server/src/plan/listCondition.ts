import type { FilterValue } from "@hadal/sdk";
import type { ResolvedFilter } from "./resolvedQuery.js";
import type { SchemaColumn } from "./tableSchema.js";

export type ListOperator =
  | "includes any"
  | "includes all"
  | "includes none"
  | "is empty"
  | SequenceOperator;
type SequenceOperator = "starts with" | "ends with" | "contains sequence";

const placeOfSequence = {
  "starts with": "start",
  "ends with": "end",
  "contains sequence": "anywhere",
} as const;

/** A condition on the elements of a set or a vector. A missing list makes none of them true, nor their negations. */
export function conditionOnList(
  column: SchemaColumn,
  op: ListOperator,
  values: readonly FilterValue[],
  negated: boolean,
): ResolvedFilter {
  const { name } = column;
  switch (op) {
    case "is empty":
      return { kind: "empty", column: name, negated };
    case "includes any":
    case "includes all": {
      const every = op === "includes all";
      return { kind: "includes", column: name, every, values: distinctTexts(values), negated };
    }
    case "includes none": {
      const texts = distinctTexts(values);
      return { kind: "includes", column: name, every: false, values: texts, negated: !negated };
    }
    default: {
      const texts = values.map(textOfValue);
      return { kind: "sequence", column: name, at: placeOfSequence[op], values: texts, negated };
    }
  }
}

function distinctTexts(values: readonly FilterValue[]): string[] {
  return [...new Set(values.map(textOfValue))];
}

/** Elements are strings; numbers and truth values stand for the texts they are stored as. */
export function textOfValue(value: FilterValue): string {
  if (typeof value === "string") return value;
  // Not String(1e21), which is "1e+21": rows hold digits.
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString();
  return String(value);
}
