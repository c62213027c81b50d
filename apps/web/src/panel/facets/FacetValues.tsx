import { type ColumnInfo, type Facet, type FacetRange, facetLimitMax } from "@hadal/sdk";
import { type CSSProperties, useState } from "react";
import type { Selection } from "../../draft/edit/edits.js";
import { formatShare } from "../../format/change.js";
import { formatExact } from "../../format/number.js";
import { formatMeasure } from "../../format/value.js";
import { filtersOfGroup, filtersOfRange } from "../../query/filter/groupFilter.js";
import type { GroupSpec } from "../../query/group/groupSpec.js";
import { Button } from "../../ui/button/Button.js";
import { useFormQuery } from "../formQuery.js";
import styles from "./facets.module.css";
import { useFacetValues } from "./useFacetValues.js";

/** The number of values in the list of columns, and after the first “more”. */
const [limitFirst, limitMore] = [10, 100];

export interface FacetValuesProps {
  readonly column: ColumnInfo;
  /** The facet from the list of columns; null: not counted. */
  readonly known: Facet | null;
}

interface Line {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly share: number;
  readonly selection: Selection;
}

/** The most frequent values or ranges with their shares; a search finds other values. */
export function FacetValues({ column, known }: FacetValuesProps) {
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(limitFirst);
  const needsMore = known === null || search !== "" || limit > limitFirst;
  const { values, distinct } = known ?? { values: null, distinct: null };
  const searchable = known === null || values === null || (distinct ?? limitFirst + 1) > limitFirst;
  return (
    <div className={styles.values}>
      {searchable && (
        <input
          type="search"
          className={styles.valueSearch}
          aria-label={`Search the values of ${column.name}`}
          data-testid="facet-value-search"
          placeholder="search values"
          value={search}
          spellCheck={false}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {needsMore ? (
        <MoreValues column={column} search={search} limit={limit} onLimit={setLimit} />
      ) : (
        <ValueLines facet={known} search="" limit={limit} onLimit={setLimit} />
      )}
    </div>
  );
}

interface MoreValuesProps {
  readonly column: ColumnInfo;
  readonly search: string;
  readonly limit: number;
  readonly onLimit: (limit: number) => void;
}

function MoreValues({ column, search, limit, onLimit }: MoreValuesProps) {
  // The server searches strings; numbers and elements are searched among the values it sent.
  const isSearchedHere = search !== "" && column.type !== "string";
  const limitAsked = isSearchedHere ? facetLimitMax : limit;
  const { facet, problem } = useFacetValues(column, search, limitAsked);
  if (problem !== null) return <p className={styles.quiet}>{problem.message}</p>;
  if (facet === null) return <p className={styles.quiet}>Counting values…</p>;
  return <ValueLines facet={facet} search={search} limit={limit} onLimit={onLimit} />;
}

interface ValueLinesProps {
  readonly facet: Facet;
  readonly search: string;
  readonly limit: number;
  readonly onLimit: (limit: number) => void;
}

function ValueLines({ facet, search, limit, onLimit }: ValueLinesProps) {
  const lines = linesOf(facet).filter(({ label }) => label.includes(search));
  const isCut = (facet.values?.length ?? 0) >= limit && limit < facetLimitMax;
  return (
    <>
      {lines.length === 0 && (
        <p className={styles.quiet}>{search === "" ? noValues(facet) : "No value matches."}</p>
      )}
      <ul className={styles.list}>
        {lines.slice(0, Math.max(limit, facet.ranges?.length ?? 0)).map((line) => (
          <ValueLine key={line.key} line={line} />
        ))}
      </ul>
      {isCut && (
        <Button look="quiet" data-testid="facet-more" onClick={() => onLimit(moreThan(limit))}>
          more
        </Button>
      )}
    </>
  );
}

const moreThan = (limit: number): number =>
  limit < limitMore ? limitMore : Math.min(facetLimitMax, limit * 10);

function noValues({ rows, values }: Facet): string {
  if (rows === 0) return "No matching row has a value.";
  return values === null ? "Too many values to list: search for one." : "No values.";
}

function ValueLine({ line }: { readonly line: Line }) {
  const { dispatch } = useFormQuery();
  const { label, count, share, selection } = line;
  return (
    <li
      className={styles.value}
      data-testid="facet-value"
      style={{ "--share": `${(share * 100).toFixed(1)}%` } as CSSProperties}
    >
      <span className={styles.clip} title={label}>
        {label}
      </span>
      <span className={styles.note} title={`${formatExact(count)} events`}>
        {formatShare(share)}
      </span>
      <span className={styles.icons}>
        <button
          type="button"
          aria-label={`Only ${label}`}
          title="Only this"
          onClick={() => dispatch({ kind: "only this", selection })}
        >
          +
        </button>
        <button
          type="button"
          aria-label={`Not ${label}`}
          title="Not this"
          onClick={() => dispatch({ kind: "not this", selection })}
        >
          −
        </button>
      </span>
    </li>
  );
}

/** A line per value; a line per range for numbers with many values. */
export function linesOf(facet: Facet): readonly Line[] {
  const { name, type, unit, count: present, fill } = facet;
  const spec: readonly GroupSpec[] = type === "set" || type === "vector" ? [{ element: name }] : [];
  const all = fill > 0 ? present / fill : 0;
  if (facet.ranges !== null) {
    return facet.ranges
      .filter(({ count }) => count > 0)
      .map((range) => lineOfRange(range, name, unit, all));
  }
  return (facet.values ?? []).map(({ value, count, share }) => ({
    key: JSON.stringify(String(value)),
    label: value === "" ? "(empty)" : String(value),
    count,
    share,
    selection: { filters: filtersOfGroup([{ column: name, value }], spec) ?? [], range: null },
  }));
}

function lineOfRange(
  { from, to, count }: FacetRange,
  column: string,
  unit: string | undefined,
  all: number,
): Line {
  const text = (value: number) => formatMeasure(value, { unit });
  const label =
    from === null
      ? `below ${text(to ?? 0)}`
      : to === null
        ? `from ${text(from)}`
        : `${text(from)} – ${text(to)}`;
  return {
    key: `${from} ${to}`,
    label,
    count,
    share: all > 0 ? count / all : 0,
    selection: { filters: filtersOfRange(column, from, to), range: null },
  };
}
