import { type DashboardTile, textWithVariables } from "@hadal/sdk";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { formatChange } from "../../../format/change.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { ErrorBoundary } from "../../../ui/page/ErrorBoundary.js";
import { useBoard } from "../board/boardContext.js";
import type { Cell } from "../model/boardGrid.js";
import type { Moved } from "../model/moved.js";
import { tileTitle } from "../model/tileTitle.js";
import { valuesOf } from "../model/tileUnderBar.js";
import { QueryTileView } from "./QueryTileView.js";
import { TextTileView } from "./TextTileView.js";
import { TileMenu } from "./TileMenu.js";
import styles from "./tile.module.css";
import { useTileDrag } from "./useTileDrag.js";
import { useVisible } from "./useVisible.js";

export interface TileCardProps {
  readonly tile: DashboardTile;
  readonly cell: Cell;
  readonly isDragged: boolean;
  /** Size of a grid cell, in pixels. */
  readonly step: () => { readonly x: number; readonly y: number };
  /** The tile is over these cells; null: the drag has ended. */
  readonly onDrag: (cell: Cell | null) => void;
}

/** A tile with its title and menu; while the board is arranged it can be moved and resized. */
export function TileCard({ tile, cell, isDragged, step, onDrag }: TileCardProps) {
  const { bar, isArranging, isPrinting, full, moved } = useBoard();
  const ref = useRef<HTMLElement>(null);
  const isVisible = useVisible(ref) || isPrinting;
  const [seen, setSeen] = useState(false);
  if (isVisible && !seen) setSeen(true);
  const [state, setState] = useState<ExploreState | null>(null);
  const title = textWithVariables(tileTitle(tile, state), valuesOf(bar));
  const { mover, resizer, onKeyDown } = useArranging(ref, { tile, cell, step, onDrag });
  const canArrange = isArranging && moved === null;
  return (
    <section
      ref={ref}
      className={styles.tile}
      aria-label={title}
      data-testid="tile"
      data-tile={tile.id}
      data-kind={kindOf(tile)}
      data-arranging={canArrange}
      data-dragged={isDragged}
      data-full={full === tile.id}
      {...(canArrange && { tabIndex: 0, onKeyDown })}
      style={moved === null ? cellStyle(cell) : { ...movedStyle, order: rankOf(moved, tile.id) }}
    >
      {!("divider" in tile) && (
        <TileHead {...{ tile, title, mover: canArrange ? mover : null }}>
          <TileMenu tile={tile} title={title} state={"text" in tile ? null : state} />
        </TileHead>
      )}
      <div className={styles.body}>
        <ErrorBoundary title="This tile could not be shown" resetKey={tile}>
          <TileContent
            {...{ tile, title, isVisible, isWanted: seen || isVisible }}
            onState={setState}
          >
            {"divider" in tile && <Divider {...{ tile, mover: canArrange ? mover : null }} />}
          </TileContent>
        </ErrorBoundary>
      </div>
      {canArrange && (
        <button
          type="button"
          className={styles.resize}
          tabIndex={-1}
          aria-label={`Size of ${title}`}
          data-testid="tile-resize"
          {...resizer}
        />
      )}
    </section>
  );
}

/** How the tile is moved, resized and removed: by the pointer and by keys. */
function useArranging(
  ref: RefObject<HTMLElement | null>,
  { tile: { id }, cell, step, onDrag }: Omit<TileCardProps, "isDragged">,
) {
  const { store } = useBoard();
  const place = (next: Cell): void => store.edit({ kind: "place tile", id, cell: next });
  const dragOf = {
    ...{ cell, step, onDrag, onCancel: () => onDrag(null) },
    onDrop(next: Cell) {
      onDrag(null);
      place(next);
    },
  };
  return {
    mover: useTileDrag("move", dragOf),
    resizer: useTileDrag("resize", dragOf),
    onKeyDown: keysOf(ref, cell, {
      place,
      step: (x, y) => store.edit({ kind: "step tile", id, x, y }),
      remove: () => store.edit({ kind: "remove tile", id }),
    }),
  };
}

interface TileHeadProps {
  readonly tile: DashboardTile;
  readonly title: string;
  /** null: the tile cannot be moved now. */
  readonly mover: ReturnType<typeof useTileDrag> | null;
  /** The menu. */
  readonly children: ReactNode;
}

function TileHead({ tile, title, mover, children }: TileHeadProps) {
  const { moved } = useBoard();
  return (
    <header className={styles.head} {...mover}>
      <h3 className={styles.title} title={title}>
        {"text" in tile && (tile.title ?? "") === "" ? "" : title}
      </h3>
      {moved !== null && <MovedBy moved={moved.get(tile.id) ?? null} />}
      {children}
    </header>
  );
}

function Divider({ tile, mover }: Pick<TileHeadProps, "tile" | "mover">) {
  const { isArranging } = useBoard();
  return (
    <div className={styles.divider} {...mover}>
      {tile.title}
      {isArranging && <TileMenu tile={tile} title="the divider" state={null} />}
    </div>
  );
}

interface TileContentProps {
  readonly tile: DashboardTile;
  readonly title: string;
  readonly isVisible: boolean;
  /** It was seen once: a query tile that was not is not built. */
  readonly isWanted: boolean;
  readonly onState: (state: ExploreState) => void;
  /** What a divider shows. */
  readonly children: ReactNode;
}

function TileContent({ tile, isWanted, children, ...shown }: TileContentProps) {
  if ("text" in tile) return <TextTileView text={tile.text} />;
  if (!("query" in tile) && !("savedQuery" in tile)) return children;
  return isWanted ? <QueryTileView tile={tile} {...shown} /> : null;
}

const kindOf = (tile: DashboardTile): string =>
  "text" in tile ? "text" : "divider" in tile ? "divider" : "query";

const cellStyle = ({ x, y, w, h }: Cell) => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
  "--rows": h,
});

/** In the order of “what moved” all tiles have one size. */
const movedStyle = { gridColumn: "span 4", gridRow: "span 4" };

function rankOf(moved: ReadonlyMap<string, Moved>, id: string): number {
  const rank = [...moved.keys()].indexOf(id);
  return rank < 0 ? moved.size : rank;
}

function MovedBy({ moved }: { readonly moved: Moved | null }) {
  if (moved === null) return <span className={styles.moved}>not compared</span>;
  const { percent, isUnsure } = moved;
  const isMore = typeof percent === "number" ? percent > 0 : percent === "new";
  return (
    <span
      className={styles.moved}
      data-testid="tile-moved"
      data-tone={isUnsure ? "unsure" : isMore ? "more" : "less"}
      title={isUnsure ? "Within its error bars" : undefined}
    >
      {formatChange(percent)}
    </span>
  );
}

interface TileActions {
  readonly place: (cell: Cell) => void;
  readonly step: (x: number, y: number) => void;
  readonly remove: () => void;
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrows move the tile, with Shift they resize it, Delete removes it. */
function keysOf(ref: RefObject<HTMLElement | null>, cell: Cell, actions: TileActions) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== ref.current) return;
    if (event.key === "Delete") {
      event.preventDefault();
      actions.remove();
      return;
    }
    const arrow = Object.hasOwn(arrows, event.key) ? arrows[event.key] : undefined;
    if (arrow === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [x, y] = arrow;
    if (!event.shiftKey) actions.step(x, y);
    else actions.place({ ...cell, w: Math.max(1, cell.w + x), h: Math.max(1, cell.h + y) });
  };
}
