import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatLack } from "../../../format/lack.js";
import { Button } from "../../../ui/button/Button.js";
import { useExplore } from "../explore.js";
import { FacetEntry } from "./FacetEntry.js";
import { columnsInUse, placedColumns } from "./facetOrder.js";
import styles from "./facets.module.css";
import { useFacets } from "./useFacets.js";

/** A closed column is one line. */
const entryPx = 24;

export interface FacetListProps {
  /** The answer is whole: values may be counted. */
  readonly settled: boolean;
  readonly onFilter: (column: string) => void;
}

/** The table's columns with what their values are in the rows that match; any number of them. */
export function FacetList({ settled, onFilter }: FacetListProps) {
  const { state, columns } = useExplore();
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { facets, completeness, problem, waiting, again } = useFacets(columns, settled);
  const placed = useMemo(
    () => placedColumns(columns, columnsInUse(state), facets, search),
    [columns, state, facets, search],
  );
  const listRef = useRef<HTMLUListElement>(null);
  const scroller = (): HTMLElement | null => listRef.current?.closest("aside") ?? null;
  const [offset, setOffset] = useState(0);
  // The list begins where the form ends, which grows with every chip.
  useLayoutEffect(() => {
    const [list, box] = [listRef.current, scroller()];
    if (list === null || box === null) return;
    const top = list.getBoundingClientRect().top - box.getBoundingClientRect().top;
    setOffset(Math.round(top + box.scrollTop));
  });
  const entries = useVirtualizer({
    count: placed.length,
    getScrollElement: scroller,
    estimateSize: () => entryPx,
    getItemKey: (index) => placed[index]?.column.name ?? index,
    overscan: 10,
    scrollMargin: offset,
  });
  const toggle = (name: string): void => {
    const next = new Set(opened);
    if (!next.delete(name)) next.add(name);
    setOpened(next);
  };
  if (columns.length === 0) return null;
  const trouble = problem?.message ?? (completeness === null ? null : formatLack(completeness));
  return (
    <section className={styles.section} aria-label="Columns" aria-busy={waiting}>
      <div className={styles.head}>
        <h2 className={styles.title}>Columns</h2>
        <input
          type="search"
          className={styles.search}
          aria-label="Search columns"
          data-testid="facet-search"
          placeholder={`search ${columns.length - 1}`}
          value={search}
          spellCheck={false}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {trouble !== null && (
        <div className={styles.quiet} role="alert" data-testid="facets-trouble">
          {trouble}
          <Button look="quiet" onClick={again}>
            Count again
          </Button>
        </div>
      )}
      {placed.length === 0 && <p className={styles.quiet}>No column has that in its name.</p>}
      <ul
        ref={listRef}
        className={styles.list}
        data-waiting={waiting}
        style={{ height: entries.getTotalSize() }}
      >
        {entries.getVirtualItems().map((item) => {
          const place = placed[item.index];
          if (place === undefined) return null;
          const { column, section } = place;
          return (
            <li
              key={item.key}
              ref={entries.measureElement}
              data-index={item.index}
              className={styles.entry}
              style={{ transform: `translateY(${item.start - offset}px)` }}
            >
              {section !== placed[item.index - 1]?.section && (
                <h3 className={styles.sectionName}>{section}</h3>
              )}
              <FacetEntry
                column={column}
                facet={facets.get(column.name) ?? null}
                open={opened.has(column.name)}
                onToggle={() => toggle(column.name)}
                onFilter={() => onFilter(column.name)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
