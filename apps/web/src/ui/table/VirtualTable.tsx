import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type ColumnWidths, useColumnWidths } from "./useColumnWidths.js";
import styles from "./VirtualTable.module.css";

export interface TableColumn {
  readonly key: string;
  readonly head: ReactNode;
  readonly title?: string;
  /** A CSS grid track of fixed or fractional size: all rows must come out alike. */
  readonly track: string;
  readonly align: "left" | "right";
  readonly sort?: {
    readonly state: "ascending" | "descending" | "none";
    readonly onSort: () => void;
  };
}

export interface VirtualTableProps {
  readonly label: string;
  readonly testId?: string;
  readonly columns: readonly TableColumn[];
  readonly rowCount: number;
  readonly rowKey: (index: number) => string;
  readonly renderCell: (rowIndex: number, columnIndex: number) => ReactNode;
  /** What unfolds below a row; null: nothing. */
  readonly renderDetail?: (rowIndex: number) => ReactNode;
  readonly rowTestId?: string;
  /** Click, or Enter on the cell in focus; x and y are where its menu belongs. */
  readonly onCell?: (rowIndex: number, columnIndex: number, x: number, y: number) => void;
  readonly onPoint?: (rowIndex: number | null) => void;
  /** A last line that stays in sight: what all rows come to. */
  readonly renderFoot?: ((columnIndex: number) => ReactNode) | undefined;
}

const rowPx = 28;

/** A table of any length: only what is in sight exists. Arrow keys walk its cells. */
export function VirtualTable(props: VirtualTableProps) {
  const { rowCount, rowKey, onPoint, renderFoot } = props;
  const widths = useColumnWidths();
  const columns = props.columns.map((column) => {
    const px = widths.widthOf(column.key);
    return px === null ? column : { ...column, track: `${px}px` };
  });
  const scrollRef = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowPx,
    getItemKey: rowKey,
    overscan: 12,
  });
  const cursor = useCursor(rowCount, columns.length, (row) => rows.scrollToIndex(row));
  const gridTemplateColumns = columns.map((column) => column.track).join(" ");

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the grid below has the role; this box only scrolls it
    <div
      ref={scrollRef}
      className={styles.scroll}
      data-testid={props.testId}
      onMouseLeave={() => onPoint?.(null)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows lie where they scroll to, which table elements cannot */}
      <div
        role="grid"
        aria-label={props.label}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length}
        tabIndex={-1}
        className={styles.grid}
        onKeyDown={(event) => cursor.onKeyDown(event, props.onCell)}
      >
        <HeadRow columns={columns} gridTemplateColumns={gridTemplateColumns} widths={widths} />
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div
          role="rowgroup"
          className={styles.body}
          style={{ height: rows.getTotalSize() }}
          tabIndex={-1}
        >
          {rows.getVirtualItems().map((item) => (
            <Row
              key={item.key}
              table={props}
              gridTemplateColumns={gridTemplateColumns}
              index={item.index}
              startPx={item.start}
              measureRef={rows.measureElement}
              isActive={(column) => cursor.isAt(item.index, column)}
            />
          ))}
        </div>
        {renderFoot !== undefined && (
          // biome-ignore lint/a11y/useSemanticElements: as above
          <div
            role="row"
            tabIndex={-1}
            className={styles.foot}
            data-testid="table-foot"
            style={{ gridTemplateColumns }}
          >
            {columns.map(({ key, align }, column) => (
              // biome-ignore lint/a11y/useSemanticElements: as above
              <div
                key={key}
                role="gridcell"
                tabIndex={-1}
                className={styles.footCell}
                data-align={align}
              >
                {renderFoot(column)}
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

interface RowProps {
  readonly table: VirtualTableProps;
  readonly gridTemplateColumns: string;
  readonly index: number;
  readonly startPx: number;
  readonly measureRef: (element: Element | null) => void;
  readonly isActive: (column: number) => boolean;
}

function Row({ table, gridTemplateColumns, index, startPx, measureRef, isActive }: RowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows lie where they scroll to, which table elements cannot
    <div
      ref={measureRef}
      data-index={index}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      className={styles.row}
      data-testid={table.rowTestId}
      style={{ transform: `translateY(${startPx}px)` }}
      onMouseEnter={() => table.onPoint?.(index)}
    >
      <div className={styles.cells} style={{ gridTemplateColumns }}>
        {table.columns.map((column, c) => (
          <Cell key={column.key} row={index} column={c} table={table} active={isActive(c)} />
        ))}
      </div>
      {table.renderDetail?.(index)}
    </div>
  );
}

interface CellProps {
  readonly row: number;
  readonly column: number;
  readonly table: VirtualTableProps;
  readonly active: boolean;
}

function Cell({ row, column, table, active }: CellProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the cell in focus is heard by the grid
    // biome-ignore lint/a11y/useSemanticElements: a grid cell outside a table element
    <div
      role="gridcell"
      tabIndex={active ? 0 : -1}
      data-cell={`${row}:${column}`}
      className={styles.cell}
      data-align={table.columns[column]?.align}
      onClick={(event) => table.onCell?.(row, column, event.clientX, event.clientY)}
    >
      {table.renderCell(row, column)}
    </div>
  );
}

interface HeadRowProps {
  readonly columns: readonly TableColumn[];
  readonly gridTemplateColumns: string;
  readonly widths: ColumnWidths;
}

function HeadRow({ columns, gridTemplateColumns, widths }: HeadRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid outside a table element
    <div role="row" tabIndex={-1} className={styles.head} style={{ gridTemplateColumns }}>
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        <div
          key={column.key}
          role="columnheader"
          tabIndex={-1}
          data-align={column.align}
          className={styles.headCell}
          title={column.title}
          {...(column.sort === undefined ? {} : { "aria-sort": column.sort.state })}
        >
          {column.sort === undefined ? (
            column.head
          ) : (
            <button type="button" className={styles.sort} onClick={column.sort.onSort}>
              {column.head}
              <span aria-hidden="true">{arrowOf(column.sort.state)}</span>
            </button>
          )}
          {/* biome-ignore lint/a11y/useSemanticElements: a line that can be dragged, not a break in a text */}
          <span
            role="separator"
            aria-label={`Width of ${column.title ?? column.key}`}
            aria-orientation="vertical"
            aria-valuenow={widths.widthOf(column.key) ?? 0}
            tabIndex={0}
            className={styles.handle}
            data-testid="column-width"
            {...widths.handleOf(column.key)}
          />
        </div>
      ))}
    </div>
  );
}

const arrowOf = (state: "ascending" | "descending" | "none"): string =>
  state === "none" ? "" : state === "ascending" ? " ↑" : " ↓";

/** One cell at a time is in the tab order; the arrows move it. */
function useCursor(rowCount: number, columnCount: number, scrollTo: (row: number) => void) {
  const [at, setAt] = useState({ row: 0, column: 0 });
  const gridRef = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const grid = gridRef.current;
    if (grid === null) return;
    const cell = grid.querySelector<HTMLElement>(`[data-cell="${at.row}:${at.column}"]`);
    cell?.focus({ preventScroll: true });
  }, [at]);

  const move = (event: KeyboardEvent<HTMLElement>, row: number, column: number): void => {
    event.preventDefault();
    gridRef.current = event.currentTarget;
    const next = {
      row: Math.min(rowCount - 1, Math.max(0, row)),
      column: Math.min(columnCount - 1, Math.max(0, column)),
    };
    scrollTo(next.row);
    setAt(next);
  };
  return {
    isAt: (row: number, column: number) =>
      Math.min(at.row, rowCount - 1) === row && Math.min(at.column, columnCount - 1) === column,
    onKeyDown(event: KeyboardEvent<HTMLElement>, onCell: VirtualTableProps["onCell"]): void {
      const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-cell]");
      if (cell === null || cell !== event.target) return;
      const [row = 0, column = 0] = (cell.dataset.cell ?? "").split(":").map(Number);
      if (event.key === "ArrowDown") move(event, row + 1, column);
      else if (event.key === "ArrowUp") move(event, row - 1, column);
      else if (event.key === "ArrowRight") move(event, row, column + 1);
      else if (event.key === "ArrowLeft") move(event, row, column - 1);
      else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        const box = cell.getBoundingClientRect();
        onCell?.(row, column, box.left + 12, box.bottom);
      }
    },
  };
}
