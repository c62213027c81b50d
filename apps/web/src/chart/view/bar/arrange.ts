import { type Amount, asNumber, keyOfGroup } from "../../kit/answer/series.js";
import { differenceOf, type GroupTotal } from "../../kit/answer/totals.js";

/** One bar of several parts. */
export interface ArrangedBar {
  /** The total of all of its parts, with those that have no bar. */
  readonly whole: GroupTotal;
  readonly parts: readonly BarPart[];
}

export interface BarPart {
  /** null: what the other parts leave of the whole. */
  readonly total: GroupTotal | null;
  /** Of the second groups, by which parts of different bars are alike. */
  readonly key: string;
  readonly label: string;
  readonly value: Amount;
}

/** More colours than this look alike. */
const kindsMax = 9;

/** Key of a part: the values of its group without the first. */
export const partKeyOf = ({ group }: GroupTotal): string => keyOfGroup(group.slice(1));

/** The kinds of parts that are drawn: the largest over all bars. */
export function partKinds(totals: readonly GroupTotal[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const total of totals) {
    const key = partKeyOf(total);
    sums.set(key, (sums.get(key) ?? 0) + Math.abs(asNumber(total.values[0] ?? null) ?? 0));
  }
  const ranked = [...sums].sort(([, a], [, b]) => b - a).map(([key]) => key);
  return ranked.slice(0, kindsMax);
}

export interface BarParts {
  readonly totals: readonly GroupTotal[];
  readonly wholes: readonly GroupTotal[];
  readonly kinds: readonly string[];
  /** What the parts leave is a part too: the bar ends at its whole. */
  readonly isStack: boolean;
  readonly nameOf: (total: GroupTotal) => string;
}

/** The parts of each bar in the order of their kinds. */
export function arrangeBars({ totals, wholes, kinds, isStack, nameOf }: BarParts): ArrangedBar[] {
  const byBar = new Map<string, Map<string, GroupTotal>>();
  for (const total of totals) {
    const bar = firstKeyOf(total);
    const parts = byBar.get(bar) ?? new Map<string, GroupTotal>();
    byBar.set(bar, parts.set(partKeyOf(total), total));
  }
  return wholes.map((whole): ArrangedBar => {
    const own = byBar.get(firstKeyOf(whole));
    const parts = kinds.flatMap((key): BarPart[] => {
      const total = own?.get(key);
      if (total === undefined) return [];
      return [{ total, key, label: nameOf(total), value: total.values[0] ?? null }];
    });
    const rest = parts.reduce<Amount>(
      (left, { value }) => differenceOf(left, value ?? 0),
      whole.values[0] ?? null,
    );
    const hasRest = isStack && (asNumber(rest) ?? 0) > 0;
    const other: BarPart = { total: null, key: "other", label: "others", value: rest };
    return { whole, parts: hasRest ? [...parts, other] : parts };
  });
}

const firstKeyOf = ({ group }: GroupTotal): string => keyOfGroup(group.slice(0, 1));

/** Whether a stack can be drawn: a number below 0 has no length. */
export const hasLengths = (bars: readonly ArrangedBar[]): boolean =>
  bars.every(({ parts }) => parts.every(({ value }) => (asNumber(value) ?? 0) >= 0));

export const sizeOf = ({ value }: Pick<BarPart, "value">): number => Math.abs(asNumber(value) ?? 0);

/** The length of a bar: of all of its parts, or of the longest where they are side by side. */
export const lengthOf = (
  { parts }: ArrangedBar,
  { stacks }: { readonly stacks: boolean },
): number =>
  stacks
    ? parts.reduce((sum, part) => sum + sizeOf(part), 0)
    : Math.max(...parts.map((part) => sizeOf(part)), 0);
