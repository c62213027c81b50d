import type { Mark } from "../../kit/answer/intent.js";
import { intervalOfSum } from "../../kit/answer/interval.js";
import { partErrorsOf } from "../../kit/answer/partErrors.js";
import {
  asNumber,
  type ChartInput,
  type ChartMeasure,
  keyOfGroup,
} from "../../kit/answer/series.js";
import { addUp, type GroupTotal } from "../../kit/answer/totals.js";
import { amountsOf, partsOf } from "../../kit/answer/wholeParts.js";
import { countryKeyOf, countryName } from "./countryCodes.js";

/** A country of the map, with the numbers of all values that name it. */
export interface Country extends GroupTotal {
  readonly spellings: readonly GroupTotal[];
}

/** Groups by the country that they name. */
export interface Countries {
  /** By the country's two letters. */
  readonly byKey: ReadonlyMap<string, Country>;
  /** Of numbers that do not add up a country shows that of the first value that names it; these are the others. */
  readonly notShown: readonly GroupTotal[];
  /** Values that name no country of the map. */
  readonly unknown: readonly GroupTotal[];
}

export function countriesOf(
  totals: readonly GroupTotal[],
  onMap: ReadonlySet<string>,
  input: ChartInput,
  measure: ChartMeasure,
): Countries {
  const spellings = new Map<string, [GroupTotal, ...GroupTotal[]]>();
  const notShown: GroupTotal[] = [];
  const unknown: GroupTotal[] = [];
  for (const total of totals) {
    const key = countryKeyOf(total.group[0]?.value ?? null);
    const known = spellings.get(key ?? "");
    if (key === null || !onMap.has(key)) unknown.push(total);
    else if (known === undefined) spellings.set(key, [total]);
    else if (measure.additive) known.push(total);
    else notShown.push(total);
  }
  const together = createSum(input, measure);
  const byKey = new Map(
    [...spellings].map(([key, [first, ...others]]) => [key, together(key, first, others)]),
  );
  return { byKey, notShown, unknown };
}

/** What a touch of a country asks for: the rows of all values that it shows. */
export function markOfCountry({
  spellings,
  group,
  label,
}: Country): Pick<Mark, "group" | "label" | "filters"> {
  const [cell] = group;
  if (spellings.length < 2 || cell === undefined) return { group };
  const value = spellings.map((one) => String(one.group[0]?.value));
  return { group: [], label, filters: [{ column: cell.column, op: "in", value }] };
}

/** Several spellings of a country as one, under its name. */
function createSum(input: ChartInput, measure: ChartMeasure) {
  const parts = new Map(partsOf(input, measure).map((part) => [keyOfGroup(part.group), part]));
  const partErrors = partErrorsOf(input.result);
  return (country: string, first: GroupTotal, others: readonly GroupTotal[]): Country => {
    const spellings = [first, ...others];
    if (others.length === 0) return { ...first, spellings };
    const bars = spellings.map(({ values: [value = null], intervals: [interval = null] }) => ({
      value: asNumber(value) ?? 0,
      interval,
    }));
    const { unsure } = amountsOf(
      spellings.flatMap(({ key }) => parts.get(key) ?? []),
      partErrors,
    );
    const sumOf = (side: "values" | "compare") =>
      addUp(
        spellings.map((one) => one[side][0] ?? null),
        "sum",
      );
    return {
      ...first,
      label: countryName(country),
      values: [sumOf("values")],
      compare: [sumOf("compare")],
      intervals: [intervalOfSum(bars, partErrors)],
      unsure: [unsure],
      spellings,
    };
  };
}
