import { Maximize2 } from "lucide-react";
import { formatShare } from "../../../format/change.js";
import { Button } from "../../../ui/button/Button.js";
import { DifferenceLegend } from "../../kit/paint/ScaleLegend.js";
import type { Shades } from "../../kit/paint/shade.js";
import styles from "./FlameTools.module.css";
import { shareOf } from "./flameWords.js";
import type { Matches } from "./layoutFlame.js";

export interface FlameToolsProps {
  readonly search: string;
  readonly onSearch: (text: string) => void;
  /** null: the search is empty. */
  readonly found: Matches | null;
  readonly whole: number;
  /** null: not zoomed. */
  readonly onZoomOut: (() => void) | null;
  readonly note: string;
  /** The colours of differences; null: no comparison. */
  readonly shades: Shades | null;
}

/** Search, zoom out, notes and the legend, above the boxes. */
export function FlameTools(props: FlameToolsProps) {
  const { search, onSearch, found, whole, onZoomOut, note, shades } = props;
  return (
    <div className={styles.tools}>
      <input
        type="search"
        className={styles.search}
        placeholder="Find frames"
        aria-label="Find frames"
        data-testid="flame-search"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
      />
      {found !== null && (
        <span role="status" data-testid="flame-matches">
          {found.frames.size} frames · {formatShare(shareOf(found.total, whole))}
        </span>
      )}
      {onZoomOut !== null && (
        <Button look="quiet" data-testid="zoom-out" onClick={onZoomOut}>
          <Maximize2 size={13} /> All stacks
        </Button>
      )}
      <span className={styles.note}>{note}</span>
      {shades !== null && <DifferenceLegend shades={shades} />}
    </div>
  );
}
