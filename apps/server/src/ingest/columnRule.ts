import type { ColumnSetting, ColumnType } from "@hadal/sdk";
import type { BatchColumn } from "../base/rowBatch.js";

/** What was set for a column: how its values are read. */
export type ColumnRule = Omit<ColumnSetting, "name">;
export type ColumnRules = ReadonlyMap<string, ColumnRule>;

export const noRules: ColumnRules = new Map();

export function rulesOf(settings: readonly ColumnSetting[]): ColumnRules {
  return new Map(settings.map(({ name, ...rule }) => [name, rule]));
}

/** What of a column's type was set for it, as its batch tells the leaf. */
export function setForm(rule: ColumnRule | null, type: ColumnType): Pick<BatchColumn, "set"> {
  const hasDecimals = rule?.decimals !== undefined && type === "int";
  if (rule?.type !== undefined) return { set: hasDecimals ? "both" : "type" };
  return hasDecimals ? { set: "decimals" } : {};
}
