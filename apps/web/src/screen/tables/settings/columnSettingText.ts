import type { ColumnSetting, ColumnType } from "@hadal/sdk";

/** A column's setting as it stands in the form; an empty type: as the values come. */
export interface WrittenSetting {
  readonly name: string;
  readonly type: ColumnType | "";
  readonly decimals: string;
}

export const typeOptions: readonly {
  readonly value: WrittenSetting["type"];
  readonly label: string;
}[] = [
  { value: "", label: "as it comes" },
  { value: "int", label: "number" },
  { value: "string", label: "string" },
  { value: "set", label: "set" },
  { value: "vector", label: "vector" },
];

export const emptySetting: WrittenSetting = { name: "", type: "", decimals: "" };

export const writtenSetting = ({ name, type, decimals }: ColumnSetting): WrittenSetting => ({
  name,
  type: type ?? "",
  decimals: decimals === undefined ? "" : String(decimals),
});

/** Only numbers have decimals. */
export const hasDecimals = ({ type }: WrittenSetting): boolean => type === "" || type === "int";

type ReadSettings =
  | { readonly ok: true; readonly columns: readonly ColumnSetting[] }
  | { readonly ok: false; readonly reason: string };

/** What the form says, or what is wrong with it in words; the server has the last word. */
export function readSettings(written: readonly WrittenSetting[]): ReadSettings {
  const columns: ColumnSetting[] = [];
  for (const setting of written) {
    const { name, type } = setting;
    const decimals = hasDecimals(setting) ? setting.decimals.trim() : "";
    if (name === "") return { ok: false, reason: "Say which column it is, or remove the line." };
    if (!/^(?:\d{1,3})?$/.test(decimals))
      return { ok: false, reason: `“${setting.decimals}” is not a number of digits (${name}).` };
    if (type === "" && decimals === "")
      return { ok: false, reason: `Choose a type or decimals for ${name}, or remove the line.` };
    columns.push({
      name,
      ...(type === "" ? {} : { type }),
      ...(decimals === "" ? {} : { decimals: Number(decimals) }),
    });
  }
  return { ok: true, columns };
}
