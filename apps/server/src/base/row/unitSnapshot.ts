/**
 * A unit is a request of several batches that becomes visible in one moment. Each of its batches
 * carries this stamp.
 */
export interface UnitStamp {
  /** The gateway that sends it, see `BatchSender`; "" where there is only one. */
  readonly gateway: string;
  /** Rises from unit to unit of a gateway, and is never used twice. */
  readonly number: number;
  /** How many batches the unit has, over all leaves and tables. */
  readonly parts: number;
}

/** Of one gateway the units up to a number are visible, but for some that are not decided or aborted. */
export interface VisibleUnits {
  readonly upTo: number;
  readonly except: readonly number[];
}

/** The visible units by gateway. Of a gateway that is not in it, none is. */
export type UnitSnapshot = Readonly<Record<string, VisibleUnits>>;

export const emptySnapshot: UnitSnapshot = {};

/** Undefined: the snapshot says nothing of this gateway. */
export function unitsOf(snapshot: UnitSnapshot, gateway: string): VisibleUnits | undefined {
  return Object.hasOwn(snapshot, gateway) ? snapshot[gateway] : undefined;
}

export function isVisible(
  { gateway, number }: Pick<UnitStamp, "gateway" | "number">,
  snapshot: UnitSnapshot,
): boolean {
  const units = unitsOf(snapshot, gateway);
  return units !== undefined && isShown(number, units);
}

/** What is visible in either of them. */
export function mergeSnapshots(some: UnitSnapshot, others: UnitSnapshot): UnitSnapshot {
  const merged = new Map(Object.entries(some));
  for (const [gateway, units] of Object.entries(others)) {
    const known = merged.get(gateway);
    merged.set(gateway, known === undefined ? units : mergeUnits(known, units));
  }
  // Unlike an assignment, this keeps a gateway named `__proto__`.
  return Object.fromEntries(merged);
}

/** Whether all that is visible in the narrow one is visible in the wide one. */
export function covers(wide: UnitSnapshot, narrow: UnitSnapshot): boolean {
  return Object.entries(narrow).every(([gateway, units]) =>
    coversUnits(unitsOf(wide, gateway) ?? noUnits, units),
  );
}

/** Whether the same units are visible in both. */
export const isSameSnapshot = (some: UnitSnapshot, others: UnitSnapshot): boolean =>
  covers(some, others) && covers(others, some);

/** What a query stands on: of the gateways that it names what it says, of others what is known. */
export const snapshotOfQuery = (asked: UnitSnapshot, known: UnitSnapshot): UnitSnapshot =>
  Object.fromEntries([...Object.entries(known), ...Object.entries(asked)]);

const noUnits: VisibleUnits = { upTo: 0, except: [] };

const isShown = (number: number, { upTo, except }: VisibleUnits): boolean =>
  number <= upTo && !except.includes(number);

function mergeUnits(some: VisibleUnits, others: VisibleUnits): VisibleUnits {
  const hidden = new Set([...some.except, ...others.except]);
  const except = [...hidden].filter((number) => !isShown(number, some) && !isShown(number, others));
  return { upTo: Math.max(some.upTo, others.upTo), except: except.sort((a, b) => a - b) };
}

function coversUnits(wide: VisibleUnits, narrow: VisibleUnits): boolean {
  if (wide.except.some((number) => isShown(number, narrow))) return false;
  // Beyond the wide one, the narrow one must hide each number.
  const beyond = new Set(narrow.except.filter((n) => n > wide.upTo && n <= narrow.upTo));
  return beyond.size >= narrow.upTo - wide.upTo;
}
