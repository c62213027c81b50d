import { HadalError, type Query, type Result, type ResultRow } from "@hadal/sdk";

/** Values stay for so long; windows of rules are shorter. */
const phaseMs = 7_000;
/** Rows are missing for so long at a time. */
const gapMs = 4_000;
const gapsOf = 6;

export const groupNames = ["a", "b", "c"] as const;

/** What the tables hold: a number for each window, which depends on its end alone. */
export class Truth {
  readonly #seed: number;
  /** From here on no window lacks rows. */
  readonly #wholeFromMs: number;

  constructor(seed: number, wholeFromMs: number) {
    this.#seed = seed;
    this.#wholeFromMs = wholeFromMs;
  }

  /** Rows of a group, or of the table, in the window that ends then: 0 to 9. */
  countAt(table: string, group: string, toMs: number): number {
    return mixed(`${this.#seed} ${table} ${group} ${Math.floor(toMs / phaseMs)}`) % 10;
  }

  /** When the numbers may change, from `fromMs` to before `toMs`. */
  *changes(fromMs: number, toMs: number): Generator<number> {
    for (let at = Math.ceil(fromMs / phaseMs) * phaseMs; at < toMs; at += phaseMs) yield at;
  }

  /** Null: the window is whole. */
  gapAt(table: string, toMs: number): "fails" | "incomplete" | null {
    if (toMs >= this.#wholeFromMs) return null;
    const chance = mixed(`${this.#seed} gap ${table} ${Math.floor(toMs / gapMs)}`) % (2 * gapsOf);
    if (chance > 1) return null;
    return chance === 0 ? "fails" : "incomplete";
  }

  /** The answer to a query of a rule. */
  answer({ table, to, groupBy = [] }: Query): Result | HadalError {
    const toMs = Number(to);
    const gap = this.gapAt(table, toMs);
    if (gap === "fails") return new HadalError("no-leaves", { missing: "leaf-1" });
    const isGrouped = groupBy.length > 0;
    const groups = isGrouped ? groupNames : [""];
    const rows = groups.flatMap((group): ResultRow[] => {
      const count = this.countAt(table, group, toMs);
      if (!isGrouped) return [[count]];
      return count === 0 ? [] : [[group, count]];
    });
    const fraction = gap === "incomplete" ? 0.9 : 1;
    return {
      columns: [
        ...(isGrouped ? [{ name: "g", type: "string", role: "group" } as const] : []),
        { name: "count", type: "int", role: "aggregate" },
      ],
      rows,
      completeness: { fraction, leaves: { answered: 1, total: 1, missing: [] } },
      ...{ intervals: {}, asOf: 0, final: true, truncated: null },
      stats: { rowsMatched: 0, cache: "miss", elapsedMs: 0, scanMs: 0, mergeMs: 0 },
    };
  }
}

/** A number that a text always has. */
function mixed(text: string): number {
  let sum = 2_166_136_261;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16_777_619);
  sum = Math.imul(sum ^ (sum >>> 15), 0x735a2d97);
  return (sum ^ (sum >>> 13)) >>> 0;
}
