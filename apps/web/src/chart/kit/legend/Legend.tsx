import { useMemo, useState } from "react";
import type { ChartIntent, OnIntent } from "../answer/intent.js";
import type { ChartInput } from "../answer/series.js";
import type { GroupTotal } from "../answer/totals.js";
import { GroupTable } from "../groups/GroupTable.js";
import type { LineToggles } from "../groups/SwatchButtons.js";
import { sortTotals } from "../groups/sortTotals.js";
import styles from "../props/split.module.css";
import type { ShownLines } from "./lineOptions.js";
import { isolated, isolatedKey, shownIndexes, toggled } from "./shownLines.js";

const noHues: readonly number[] = [];

/** Lines that the legend hides and shows. */
export interface LegendLines {
  readonly shown: ShownLines | null;
  /** Of all lines. */
  readonly keys: readonly string[];
  /** null: all are to be shown. */
  readonly onShow: (shown: ShownLines | null) => void;
}

export interface LegendProps {
  readonly totals: readonly GroupTotal[];
  readonly input: Pick<ChartInput, "groupColumns" | "measures" | "compared">;
  /** Order of the lines until the user sorts; absent: by the first number. */
  readonly ranked?: { readonly by: string; readonly desc: boolean };
  /** Empty: the groups have no colours. */
  readonly hues?: readonly number[];
  /** Absent: lines cannot be hidden. */
  readonly shown?: LegendLines;
  readonly onIntent: OnIntent;
  readonly onPoint?: (key: string | null) => void;
}

/** The lines and their totals as a table. Sorting changes only the table: it starts no query. */
export function Legend(props: LegendProps) {
  const { totals, input, ranked, hues = noHues, onIntent, onPoint } = props;
  const { measures, groupColumns, compared } = input;
  const toggles = useMemo(() => togglesOf(props.shown), [props.shown]);
  const [sort, setSort] = useState<{ by: string; desc: boolean } | null>(null);
  const shown = useMemo(() => {
    const hueOf = new Map(totals.map((total, i) => [total.key, hues[i] ?? 0]));
    const sorted = sort === null ? totals : sortTotals(totals, measures, sort);
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
        {...(toggles !== null && { toggles })}
        {...(onPoint !== undefined && { onPoint })}
      />
    </div>
  );
}

/** A single line can be neither hidden nor isolated. */
function togglesOf(lines: LegendLines | undefined): LineToggles | null {
  if (lines === undefined || lines.keys.length < 2) return null;
  const { shown, keys, onShow } = lines;
  const drawn = new Set(shownIndexes(shown, keys).map((at) => keys[at] ?? ""));
  return {
    isDrawn: (key) => drawn.has(key),
    isAlone: (key) => drawn.size === 1 && isolatedKey(shown) === key,
    onIsolate: (key) => onShow(isolated(shown, key)),
    onToggle: (key) => onShow(toggled(shown, key, keys)),
  };
}
