import { type ColumnSetting, type ColumnType, type CsvColumnType, csvDecimals } from "@hadal/sdk";
import type { DenseBatchColumn } from "../../base/row/rowBatch.js";

/** The settings of a column: how its values are read. */
export type ColumnRule = Omit<ColumnSetting, "name">;
export type ColumnRules = ReadonlyMap<string, ColumnRule>;

export const noRules: ColumnRules = new Map();

export function rulesOf(settings: readonly ColumnSetting[]): ColumnRules {
  return new Map(settings.map(({ name, ...rule }) => [name, rule]));
}

/** The settings of a table's columns, and those of one body, which have precedence. */
export function withAskedTypes(
  rules: ColumnRules,
  asked: ReadonlyMap<string, CsvColumnType>,
): ColumnRules {
  const all = new Map(rules);
  for (const [name, type] of asked) {
    const rule = all.get(name);
    const decimals = csvDecimals(type);
    const isText = type === "string";
    if (decimals !== null) all.set(name, { type: "int", decimals });
    else if (type === "set" || type === "vector") all.set(name, { type });
    // A set and a vector are made of the text, too.
    else if (rule !== undefined && isText === (rule.type === "int" || rule.type === undefined))
      all.delete(name);
  }
  return all;
}

/** The configured type of a column, in the form that a batch carries to the leaf. */
export function setForm(rule: ColumnRule | null, type: ColumnType): Pick<DenseBatchColumn, "set"> {
  const hasDecimals = rule?.decimals !== undefined && type === "int";
  if (rule?.type !== undefined) return { set: hasDecimals ? "both" : "type" };
  return hasDecimals ? { set: "decimals" } : {};
}
