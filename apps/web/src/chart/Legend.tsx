import { useMemo, useState } from "react";
import type { ChartIntent, OnIntent } from "./intent.js";
import type { ChartInput } from "./series.js";
import styles from "./split.module.css";
import { GroupTable } from "./table/GroupTable.js";
import { sortTotals } from "./table/sortTotals.js";
import type { GroupTotal } from "./totals.js";

const noHues: readonly number[] = [];

export interface LegendProps {
  readonly totals: readonly GroupTotal[];
  readonly input: Pick<ChartInput, "groupColumns" | "measures" | "compared">;
  /** What the lines are ranked by until the reader sorts; absent: the first number. */
  readonly ranked?: { readonly by: string; readonly desc: boolean };
  /** None: the groups have no colour of their own. */
  readonly hues?: readonly number[];
  readonly onIntent: OnIntent;
  readonly onPoint?: (key: string | null) => void;
}

/** What the lines are, as a table. Sorting it moves its lines only: it asks nothing. */
export function Legend({ totals, input, ranked, hues = noHues, onIntent, onPoint }: LegendProps) {
  const { measures, groupColumns, compared } = input;
  const [sort, setSort] = useState<{ by: string; desc: boolean } | null>(null);
  const shown = useMemo(() => {
    const hueOf = new Map(totals.map((total, i) => [total.key, hues[i] ?? 0]));
    const sorted = sort === null ? totals : sortTotals(totals, measures, sort.by, sort.desc);
    // Groups without a hue have no swatch.
    const known = hues.length === 0 ? [] : sorted.map((total) => hueOf.get(total.key) ?? 0);
    return { sorted, hues: known };
  }, [totals, measures, hues, sort]);
  const listen = (intent: ChartIntent): void => {
    if (intent.kind === "sort") setSort({ by: intent.by, desc: intent.desc });
    else onIntent(intent);
  };
  return (
    <div className={styles.legend}>
      <GroupTable
        label="Legend"
        testId="legend"
        rowTestId="legend-row"
        totals={shown.sorted}
        measures={measures}
        hues={shown.hues}
        groupColumns={groupColumns}
        compared={compared}
        sort={sort ?? ranked ?? { by: measures[0]?.name ?? "", desc: true }}
        onIntent={listen}
        {...(onPoint !== undefined && { onPoint })}
      />
    </div>
  );
}
