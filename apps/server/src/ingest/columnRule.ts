import type { ColumnSetting } from "@hadal/sdk";

/** What was set for a column: how its values are read. */
export type ColumnRule = Omit<ColumnSetting, "name">;
export type ColumnRules = ReadonlyMap<string, ColumnRule>;

export const noRules: ColumnRules = new Map();

export function rulesOf(settings: readonly ColumnSetting[]): ColumnRules {
  return new Map(settings.map(({ name, ...rule }) => [name, rule]));
}
