import { type RefObject, useContext, useState } from "react";
import { OpenMark } from "../pointer/openMark.js";
import { cellText, type TooltipContent } from "../pointer/tooltip.js";
import styles from "./CellPane.module.css";
import { boxOf, type CellBox, type CellPlot, rectOf } from "./cellPlot.js";
import { Tip } from "./Tip.js";
import { type PickPlace, useCellCursor } from "./useCellCursor.js";

export interface CellPaneProps {
  readonly hostRef: RefObject<HTMLDivElement | null>;
  readonly plot: CellPlot | null;
  /** For screen readers. */
  readonly label: string;
  readonly describe: (
    box: CellBox,
    at: { readonly x: number; readonly y: number },
  ) => TooltipContent | null;
  /** Opens the menu of these cells. */
  readonly onPick: (box: CellBox, at: PickPlace) => void;
  /** The cells that a drag selects; by default all between its ends. */
  readonly span?: (from: CellBox, to: CellBox) => CellBox;
}

/** Cells with a cursor for pointer and keyboard; a click or Enter opens the menu. */
export function CellPane(props: CellPaneProps) {
  const { hostRef, plot, label, describe, onPick, span = boxOf } = props;
  const openMark = useContext(OpenMark);
  const [last, setLast] = useState<{ box: CellBox; x: number; y: number } | null>(null);
  const isOpen = last !== null && openMark?.x === last.x && openMark.y === last.y;
  const pick: CellPaneProps["onPick"] = (box, at) => {
    setLast({ box, x: at.x, y: at.y });
    onPick(box, at);
  };
  const { pointed, brush, listeners } = useCellCursor({ plot, span, onPick: pick });
  const shown = brush ?? (pointed?.byKey ? pointed.box : isOpen ? last.box : null);
  const content = pointed === null ? null : describe(brush ?? pointed.box, pointed);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this is one chart with a cursor
    <div
      className={styles.pane}
      data-testid="chart"
      role="group"
      aria-roledescription="chart"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move its cursor
      tabIndex={0}
      {...listeners}
    >
      <div ref={hostRef} className={styles.host} />
      {plot !== null && shown !== null && (
        <div className={styles.brush} style={rectOf(plot, shown)} data-testid="brush" />
      )}
      {content !== null && pointed !== null && (
        <Tip content={content} x={pointed.x} y={pointed.y} />
      )}
      <div className={styles.spoken} aria-live="polite">
        {pointed?.byKey && content !== null && spokenText(content)}
      </div>
    </div>
  );
}

const spokenText = ({ title, rows }: TooltipContent): string =>
  [title, ...rows.map(({ name, cells }) => [name, ...cells.map(cellText)].join(" "))].join("; ");
