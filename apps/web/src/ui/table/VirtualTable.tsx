import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";
import { type ColumnWidths, useColumnWidths } from "./useColumnWidths.js";
import { useGridCursor } from "./useGridCursor.js";
import styles from "./VirtualTable.module.css";

export interface TableColumn {
  readonly key: string;
  readonly head: ReactNode;
  readonly title?: string;
  /** A CSS grid track of fixed or fractional size: every row is a grid of its own and must match. */
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
  /** Details below a row; null: none. */
  readonly renderDetail?: (rowIndex: number) => ReactNode;
  readonly rowTestId?: string;
  /** Click, or Enter on the focused cell; x and y are where its menu opens. */
  readonly onCell?: (rowIndex: number, columnIndex: number, x: number, y: number) => void;
  readonly onPoint?: (rowIndex: number | null) => void;
  /** A last row that stays visible: the totals. */
  readonly renderFoot?: ((columnIndex: number) => ReactNode) | undefined;
}

const rowPx = 28;

/** A table of any length: only the visible rows are rendered. Arrow keys walk its cells. */
export function VirtualTable(props: VirtualTableProps) {
  const { rowCount, rowKey, onPoint, onCell, renderFoot } = props;
  const widths = useColumnWidths();
  const columns = props.columns.map((column) => withWidth(column, widths.widthOf(column.key)));
  const scrollRef = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowPx,
    getItemKey: rowKey,
    overscan: 12,
  });
  const scrollTo = (row: number): void => rows.scrollToIndex(row);
  const cursor = useGridCursor({ rowCount, columnCount: columns.length, scrollTo, onCell });
  const gridTemplateColumns = columns.map((column) => column.track).join(" ");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the grid below has the role; this box only scrolls it
    <div
      ref={scrollRef}
      className={styles.scroll}
      data-testid={props.testId}
      onMouseLeave={() => onPoint?.(null)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned by their scroll offset, which table elements cannot be */}
      <div
        role="grid"
        aria-label={props.label}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length}
        tabIndex={-1}
        className={styles.grid}
        onKeyDown={cursor.onKeyDown}
      >
        <HeadRow columns={columns} gridTemplateColumns={gridTemplateColumns} widths={widths} />
        <Body
          table={props}
          items={rows.getVirtualItems()}
          heightPx={rows.getTotalSize()}
          measureRef={rows.measureElement}
          gridTemplateColumns={gridTemplateColumns}
          isActive={cursor.isAt}
        />
        {renderFoot !== undefined && (
          <FootRow
            columns={columns}
            gridTemplateColumns={gridTemplateColumns}
            renderFoot={renderFoot}
          />
        )}
      </div>
    </div>
  );
}

const withWidth = (column: TableColumn, px: number | null): TableColumn =>
  px === null ? column : { ...column, track: `${px}px` };

interface BodyProps {
  readonly table: VirtualTableProps;
  readonly items: readonly VirtualItem[];
  readonly heightPx: number;
  readonly measureRef: (element: Element | null) => void;
  readonly gridTemplateColumns: string;
  readonly isActive: (row: number, column: number) => boolean;
}

/** The virtualizer changes in place, which the React compiler cannot see: only its values are passed. */
function Body({ table, items, heightPx, measureRef, gridTemplateColumns, isActive }: BodyProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned by their scroll offset, which table elements cannot be
    <div role="rowgroup" className={styles.body} style={{ height: heightPx }} tabIndex={-1}>
      {items.map((item) => (
        <Row
          key={item.key}
          table={table}
          gridTemplateColumns={gridTemplateColumns}
          index={item.index}
          startPx={item.start}
          measureRef={measureRef}
          isActive={(column) => isActive(item.index, column)}
        />
      ))}
    </div>
  );
}

interface FootRowProps {
  readonly columns: readonly TableColumn[];
  readonly gridTemplateColumns: string;
  readonly renderFoot: (columnIndex: number) => ReactNode;
}

function FootRow({ columns, gridTemplateColumns, renderFoot }: FootRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid outside a table element
    <div
      role="row"
      tabIndex={-1}
      className={styles.foot}
      data-testid="table-foot"
      style={{ gridTemplateColumns }}
    >
      {columns.map(({ key, align }, column) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        <div key={key} role="gridcell" tabIndex={-1} className={styles.footCell} data-align={align}>
          {renderFoot(column)}
        </div>
      ))}
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
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned by their scroll offset, which table elements cannot be
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles Enter on the focused cell
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
