/** Why a number that is an estimate has no error bar. */
export type NoBar = keyof typeof textsOfNoBars | "unknown";

export const textsOfNoBars = {
  "few-rows": "too few rows were kept to know how far its values spread",
  "same-values": "the rows that were kept hold too few different values",
  "beyond-rows": "too few rows were kept beyond it",
  "unsure-base": "what it is divided by may itself be off by half",
  "by-key":
    "rows were thinned by a key or sampled by one, so that they are missing together and not one by one",
} as const;

/** Counts the rows of one column that have no error bar, by reason. */
export class NoBarCounts {
  readonly #counts = new Map<keyof typeof textsOfNoBars, number>();

  add(reason: NoBar): void {
    if (reason !== "unknown") this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  /** A sentence for each reason. `rowCount`: rows that were checked. */
  texts(rowCount: number): string[] {
    return [...this.#counts].map(([reason, count]) => {
      const where =
        rowCount === 1 ? "No error bar is given" : `No error bar in ${count} of ${rowCount} rows`;
      return `${where}: ${textsOfNoBars[reason]}.`;
    });
  }
}

/**
 * Why leaves that answered are no evidence for missing ones: fewer than two have such rows, or their rows are of other times
 * than the missing ones.
 */
export type NoBarReason = "too few leaves" | "other times";
