import type { DashboardSection } from "@hadal/sdk";
import { ChevronDown, ChevronRight, ChevronUp, Trash2 } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { sectionsOf } from "../model/boardEdits.js";
import { type Cell, cellsOf, withCell } from "../model/boardGrid.js";
import { TileCard } from "../tile/TileCard.js";
import styles from "./board.module.css";
import { useBoard } from "./boardContext.js";

export interface SectionsProps {
  /** Only this section, as kiosk shows one after another; null: all. */
  readonly only: number | null;
}

/** All sections, one below the other; in the order of “what moved” their tiles are one grid. */
export function Sections({ only }: SectionsProps) {
  const { board, moved } = useBoard();
  const sections = sectionsOf(board);
  return (
    <div className={styles.sections} data-moved={moved !== null}>
      {sections.map((section, index) =>
        only === null || only === index ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a section is known by its place
          <SectionView key={index} section={section} index={index} isOpen={only === index} />
        ) : null,
      )}
    </div>
  );
}

interface SectionViewProps {
  readonly section: DashboardSection;
  readonly index: number;
  /** Shown although it is folded. */
  readonly isOpen: boolean;
}

function SectionView({ section, index, isOpen }: SectionViewProps) {
  const { isArranging, moved, board } = useBoard();
  const isTitled = (section.title ?? "") !== "" || sectionsOf(board).length > 1 || isArranging;
  const [fold, setFold] = useState<boolean | null>(null);
  const isFolded = !isOpen && moved === null && (fold ?? section.folded === true);
  return (
    <section
      className={styles.section}
      aria-label={nameOf(section, index)}
      data-testid="board-section"
    >
      {isTitled && moved === null && (
        <SectionHead section={section} index={index} isFolded={isFolded} onFold={setFold} />
      )}
      {!isFolded && <SectionGrid section={section} />}
    </section>
  );
}

interface SectionHeadProps {
  readonly section: DashboardSection;
  readonly index: number;
  readonly isFolded: boolean;
  readonly onFold: (folded: boolean) => void;
}

function SectionHead({ section, index, isFolded, onFold }: SectionHeadProps) {
  const { store, isArranging } = useBoard();
  const name = nameOf(section, index);
  return (
    <h2 className={styles.sectionHead}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={!isFolded}
        data-testid="fold-section"
        aria-label={isArranging ? `Fold ${name}` : undefined}
        onClick={() => {
          onFold(!isFolded);
          // While the board is arranged, folding is a property of the board.
          if (isArranging) store.edit({ kind: "fold section", index, folded: !isFolded });
        }}
      >
        {isFolded ? <ChevronRight size={14} /> : <ChevronDown size={14} />}
        {!isArranging && name}
      </button>
      {isFolded && (
        <small className={styles.quiet}>
          {section.tiles.length} {section.tiles.length === 1 ? "tile" : "tiles"}
        </small>
      )}
      {isArranging && <SectionTools section={section} index={index} />}
    </h2>
  );
}

/** The section's name for who cannot see its place. */
const nameOf = ({ title }: DashboardSection, index: number): string =>
  title || `Section ${index + 1}`;

/** While the board is arranged: rename the section, move it, remove it. */
function SectionTools({ section, index }: Pick<SectionHeadProps, "section" | "index">) {
  const { store, board } = useBoard();
  const title = section.title ?? "";
  const name = nameOf(section, index);
  const move = (by: -1 | 1) => () => store.edit({ kind: "move section", index, by });
  return (
    <>
      <input
        className={styles.sectionTitle}
        aria-label="Title of the section"
        data-testid="section-title"
        placeholder="title of the section"
        maxLength={200}
        defaultValue={title}
        key={title}
        onBlur={({ target }) => store.edit({ kind: "rename section", index, title: target.value })}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
      <Button look="quiet" aria-label={`Move ${name} up`} disabled={index === 0} onClick={move(-1)}>
        <ChevronUp size={14} />
      </Button>
      <Button
        look="quiet"
        aria-label={`Move ${name} down`}
        disabled={index === sectionsOf(board).length - 1}
        onClick={move(1)}
      >
        <ChevronDown size={14} />
      </Button>
      <Button
        look="quiet"
        aria-label={`Remove ${name} with its tiles`}
        title="Remove the section with its tiles"
        onClick={() => store.edit({ kind: "remove section", index })}
      >
        <Trash2 size={14} />
      </Button>
    </>
  );
}

interface Drag {
  readonly id: string;
  readonly cell: Cell;
}

const rowPx = 64;
const gapPx = 8;
const columns = 12;

function SectionGrid({ section }: { readonly section: DashboardSection }) {
  const { isArranging } = useBoard();
  const ref = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const cells = useMemo(() => cellsOf(section.tiles), [section.tiles]);
  const shown = useMemo(
    () => (drag === null ? cells : withCell(cells, drag.id, drag.cell)),
    [cells, drag],
  );
  const step = () => ({
    x: ((ref.current?.clientWidth ?? 0) + gapPx) / columns,
    y: rowPx + gapPx,
  });
  // The tab order, and one column on a phone, follow the places on the grid.
  const tiles = useMemo(
    () =>
      section.tiles.toSorted((a, b) => {
        const [one, other] = [cells.get(a.id), cells.get(b.id)];
        return (one?.y ?? 0) - (other?.y ?? 0) || (one?.x ?? 0) - (other?.x ?? 0);
      }),
    [section.tiles, cells],
  );
  return (
    <div ref={ref} className={styles.grid}>
      {tiles.map((tile) => (
        <TileCard
          key={tile.id}
          tile={tile}
          cell={shown.get(tile.id) ?? { x: 0, y: 0, w: 4, h: 4 }}
          isDragged={drag?.id === tile.id}
          step={step}
          onDrag={(cell) => setDrag(cell === null ? null : { id: tile.id, cell })}
        />
      ))}
      {tiles.length === 0 && isArranging && <p className={styles.quiet}>No tiles yet.</p>}
    </div>
  );
}
