import type { DecidedUnits } from "../../base/copy/copySource.js";
import type { UnitSnapshot, UnitStamp } from "../../base/row/unitSnapshot.js";

/** By gateway. */
export type UnitDecisions = ReadonlyMap<string, DecidedUnits>;

export type UnitState = "undecided" | "committed" | "aborted";

export function stateOfUnit(decisions: UnitDecisions, { gateway, number }: UnitStamp): UnitState {
  const known = decisions.get(gateway);
  return known === undefined ? "undecided" : stateIn(known, number);
}

function stateIn({ upTo, except, aborted }: DecidedUnits, number: number): UnitState {
  if (number > upTo) return "undecided";
  if (!except.includes(number)) return "committed";
  return aborted.includes(number) ? "aborted" : "undecided";
}

/**
 * Both together. Reports of one gateway may come out of order: what is decided stays so. A newer report
 * leaves out aborted units that every leaf knows; they are kept where a log still has their rows.
 */
export function joinDecisions(
  a: DecidedUnits,
  b: DecidedUnits,
  isInLog: (number: number) => boolean,
): DecidedUnits {
  const [newer, older] = isNewer(a, b) ? [a, b] : [b, a];
  const aborted = older.aborted.filter(
    (number) => !newer.except.includes(number) && isInLog(number),
  );
  const except = [...aborted];
  for (const number of newer.except) {
    const state = stateIn(newer, number);
    const known = state === "undecided" ? stateIn(older, number) : state;
    if (known === "committed") continue;
    except.push(number);
    if (known === "aborted") aborted.push(number);
  }
  return { upTo: newer.upTo, except, aborted };
}

/**
 * Of what is joined of `known` and `report`, those that stay in doubt. `namedFrom`: the report names all
 * units from there on that are not committed.
 */
export function keepUnsure(
  joined: DecidedUnits,
  known: DecidedUnits,
  report: DecidedUnits,
  namedFrom: number,
): DecidedUnits {
  const { upTo, except, unsure: reported = [] } = report;
  const isSaid = (number: number): boolean =>
    number <= upTo && (number >= namedFrom || except.includes(number));
  const kept = (known.unsure ?? []).filter(
    (number) => reported.includes(number) || !isSaid(number),
  );
  const added = reported.filter((number) => stateIn(known, number) === "undecided");
  const unsure = new Set([...kept, ...added]);
  if (unsure.size === 0) return joined;
  const hidden = [...unsure].filter((number) => number <= joined.upTo);
  return {
    ...joined,
    except: [...new Set([...joined.except, ...hidden])],
    aborted: joined.aborted.filter((number) => !unsure.has(number)),
    unsure: [...unsure],
  };
}

function isNewer(a: DecidedUnits, b: DecidedUnits): boolean {
  if (a.upTo !== b.upTo) return a.upTo > b.upTo;
  return undecidedIn(a) <= undecidedIn(b);
}

const undecidedIn = ({ except, aborted }: DecidedUnits): number => except.length - aborted.length;

/** Which units a query sees that names none. */
export function snapshotOf(decisions: UnitDecisions): UnitSnapshot {
  return Object.fromEntries(
    [...decisions].map(([gateway, { upTo, except }]) => [gateway, { upTo, except }]),
  );
}

/** For the leaf's file and for its copies. */
export type PrintedDecisions = readonly (readonly [gateway: string, DecidedUnits])[];

/** Throws where the value is no such list. */
export function readDecisions(value: unknown): UnitDecisions {
  if (!Array.isArray(value)) throw new Error("it is no list");
  return new Map(
    value.map((entry: unknown) => {
      const [gateway, decided] = entry as PrintedDecisions[number];
      const { upTo, except, aborted, unsure = [] } = decided;
      const numbers = [upTo, ...except, ...aborted, ...unsure];
      if (typeof gateway !== "string" || !numbers.every(Number.isSafeInteger))
        throw new Error("it names no units");
      return [gateway, { upTo, except, aborted, ...(unsure.length > 0 && { unsure }) }];
    }),
  );
}
