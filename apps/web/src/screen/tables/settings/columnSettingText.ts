import type { ColumnSetting, ColumnType } from "@hadal/sdk";

/** A column's setting as typed; an empty type: detected from the values. */
export interface WrittenSetting {
  readonly name: string;
  readonly type: ColumnType | "";
  readonly decimals: string;
}

export const typeOptions: readonly {
  readonly value: WrittenSetting["type"];
  readonly label: string;
}[] = [
  { value: "", label: "automatic" },
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

/** The settings of the form, or the reason why they are invalid. The server checks them again. */
export function readSettings(written: readonly WrittenSetting[]): ReadSettings {
  const columns: ColumnSetting[] = [];
  for (const setting of written) {
    const { name, type } = setting;
    const decimals = hasDecimals(setting) ? setting.decimals.trim() : "";
    if (name === "")
      return { ok: false, reason: "Enter the name of the column, or remove the line." };
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
