import type { Facet } from "@hadal/sdk";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatLack } from "../../format/lack.js";
import { Button } from "../../ui/button/Button.js";
import { useFormQuery } from "../formQuery.js";
import { FacetEntry } from "./FacetEntry.js";
import { columnsInUse, type FacetPlace, placedColumns } from "./facetOrder.js";
import styles from "./facets.module.css";
import { useFacets } from "./useFacets.js";

/** The height of a collapsed column. */
const entryPx = 24;

export interface FacetListProps {
  /** The answer is final: values may be counted. */
  readonly settled: boolean;
  readonly onFilter: (column: string) => void;
}

/** The table's columns with the values of the matching rows; a virtual list. */
export function FacetList({ settled, onFilter }: FacetListProps) {
  const { state, columns } = useFormQuery();
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { facets, completeness, problem, waiting, retry } = useFacets(columns, { settled });
  const placed = useMemo(
    () => placedColumns(columns, columnsInUse(state), facets, search),
    [columns, state, facets, search],
  );
  if (columns.length === 0) return null;
  const trouble = problem?.message ?? (completeness === null ? null : formatLack(completeness));
  return (
    <section className={styles.section} aria-label="Columns" aria-busy={waiting}>
      <ListHead columnCount={columns.length - 1} search={search} onSearch={setSearch} />
      {trouble !== null && <Trouble text={trouble} onRetry={retry} />}
      {placed.length === 0 && <p className={styles.quiet}>No column name matches.</p>}
      <FacetEntries
        {...{ placed, facets, opened, waiting, onFilter }}
        onToggle={(column) => setOpened(toggled(opened, column))}
      />
    </section>
  );
}

interface FacetEntriesProps {
  readonly placed: readonly FacetPlace[];
  readonly facets: ReadonlyMap<string, Facet>;
  readonly opened: ReadonlySet<string>;
  readonly waiting: boolean;
  readonly onToggle: (column: string) => void;
  readonly onFilter: (column: string) => void;
}

/** Only the entries in view are in the page. */
function FacetEntries({ placed, facets, opened, waiting, ...on }: FacetEntriesProps) {
  const listRef = useRef<HTMLUListElement>(null);
  const offsetPx = useOffsetPx(listRef);
  // Not in a custom hook: the React Compiler would not recognise it and keep old entries.
  const entries = useVirtualizer({
    count: placed.length,
    getScrollElement: () => scrollerOf(listRef),
    estimateSize: () => entryPx,
    getItemKey: (index) => placed[index]?.column.name ?? index,
    overscan: 10,
    scrollMargin: offsetPx,
  });
  return (
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
            style={{ transform: `translateY(${item.start - offsetPx}px)` }}
          >
            {section !== placed[item.index - 1]?.section && (
              <h3 className={styles.sectionName}>{section}</h3>
            )}
            <FacetEntry
              column={column}
              facet={facets.get(column.name) ?? null}
              open={opened.has(column.name)}
              onToggle={() => on.onToggle(column.name)}
              onFilter={() => on.onFilter(column.name)}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** The element that scrolls: the list is part of the form. */
const scrollerOf = (listRef: RefObject<HTMLUListElement | null>): HTMLElement | null =>
  listRef.current?.closest("aside") ?? null;

/** The height above the list within the form, which changes with the chips. */
function useOffsetPx(listRef: RefObject<HTMLUListElement | null>): number {
  const [offsetPx, setOffsetPx] = useState(0);
  useLayoutEffect(() => {
    const [list, box] = [listRef.current, scrollerOf(listRef)];
    if (list === null || box === null) return;
    const top = list.getBoundingClientRect().top - box.getBoundingClientRect().top;
    setOffsetPx(Math.round(top + box.scrollTop));
  });
  return offsetPx;
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

interface ListHeadProps {
  readonly columnCount: number;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

function ListHead({ columnCount, search, onSearch }: ListHeadProps) {
  return (
    <div className={styles.head}>
      <h2 className={styles.title}>Columns</h2>
      <input
        type="search"
        className={styles.search}
        aria-label="Search columns"
        data-testid="facet-search"
        placeholder={`search ${columnCount}`}
        value={search}
        spellCheck={false}
        onChange={(event) => onSearch(event.target.value)}
      />
    </div>
  );
}

interface TroubleProps {
  readonly text: string;
  readonly onRetry: () => void;
}

function Trouble({ text, onRetry }: TroubleProps) {
  return (
    <div className={styles.quiet} role="alert" data-testid="facets-trouble">
      {text}
      <Button look="quiet" onClick={onRetry}>
        Count again
      </Button>
    </div>
  );
}
