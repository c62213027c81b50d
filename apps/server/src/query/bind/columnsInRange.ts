import { decimalsMax } from "@hadal/sdk";
import type { FormsInRange } from "../../base/row/columnTypes.js";
import { type ColumnForms, typesByWidth, widestType } from "../../base/row/columnTypes.js";
import { numbersName } from "../../plan/query/numbersOf.js";
import type { SchemaColumn } from "../../plan/schema/tableSchema.js";

/** A column as a query may see it, the narrowest first. Each but the first can be read whatever the values are. */
export type ColumnChoices = readonly SchemaColumn[];

/** By the values of the whole table. */
export function choicesInTable(name: string, forms: ColumnForms): ColumnChoices {
  const { types, decimals } = forms;
  const widest = widestType(forms);
  return typesByWidth
    .filter((type) => types.includes(type) || type === widest)
    .map((type): SchemaColumn => ({ name, type, decimals: type === "int" ? decimals : 0 }));
}

/** By the values in the time range of a query, and wider ones that other rows of the table have. */
export function choicesInRange(
  name: string,
  forms: ColumnForms,
  inRange: readonly FormsInRange[],
): ColumnChoices {
  const types = typesByWidth.filter((type) => inRange.some((one) => one.types.includes(type)));
  const numbers = numbersAlone(name, forms, inRange);
  const [most] = numbers;
  const isOneScale = numbers.length === 1 && most !== undefined;
  const widest = types.at(-1) ?? forms.types[0] ?? "int";
  const seen = widest === "int" && types.length > 0 && !isOneScale ? "string" : widest;
  const widestOfTable = widestType(forms);
  return typesByWidth
    .filter((type) => type === seen || type === widestOfTable || forms.types.includes(type))
    .filter((type) => typesByWidth.indexOf(type) >= typesByWidth.indexOf(seen))
    .map((type): SchemaColumn => {
      if (type === "int") return { name, type, decimals: most?.decimals ?? forms.decimals };
      const holds = types.length > 1 || seen !== types[0] ? { holds: types } : {};
      return { name, type, decimals: 0, ...holds, ...(type === "string" ? { numbers } : {}) };
    });
}

/**
 * The numbers of a column as columns of their own, each with the most decimals that its numbers have room for: one, as a
 * rule; several where numbers are so large and others so fine that no number of decimals suits both.
 */
function numbersAlone(
  column: string,
  { types, decimals, decimalsMax: room }: ColumnForms,
  inRange: readonly FormsInRange[],
): readonly SchemaColumn[] {
  if (!types.includes("int")) return [];
  const scale = decimals <= room ? decimals : commonScale(decimals, inRange);
  const most = scale ?? digitsOf(inRange);
  const scales = scale === null ? Array.from({ length: most + 1 }, (_, i) => most - i) : [most];
  return scales.map((own) => ({
    ...{ name: numbersName(column, own), type: "int", decimals: own },
    numbersOf: { column, decimalsMax: most },
  }));
}

/** Decimals with which all numbers fit 64 bits: the table's, or as few as they need; null where there are none such. */
function commonScale(decimals: number, inRange: readonly FormsInRange[]): number | null {
  const ends = inRange.flatMap(({ numbers }) =>
    numbers === null ? [] : [BigInt(numbers.min), BigInt(numbers.max)],
  );
  const fits = (scale: number): boolean =>
    ends.every((end) => isInt64(end / 10n ** BigInt(decimalsMax - scale)));
  const digits = digitsOf(inRange);
  return fits(decimals) ? decimals : fits(digits) ? digits : null;
}

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

function digitsOf(inRange: readonly FormsInRange[]): number {
  return Math.max(0, ...inRange.map(({ numbers }) => numbers?.digits ?? 0));
}
