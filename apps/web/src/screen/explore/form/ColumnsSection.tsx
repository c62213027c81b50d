import { type ColumnInfo, timeColumn } from "@hadal/sdk";
import { ChevronDown, ChevronRight, Group } from "lucide-react";
import { useState } from "react";
import { formatShare } from "../../../format/change.js";
import { formatCompact, formatExact } from "../../../format/number.js";
import { usualGroup } from "../../../query/groupChoice.js";
import { filtersOfGroup } from "../../../query/groupFilter.js";
import type { GroupSpec } from "../../../query/groupSpec.js";
import { Button } from "../../../ui/Button.js";
import { useExplore } from "../explore.js";
import styles from "./columns.module.css";
import { useColumnValues } from "./useColumnValues.js";

/** The table's columns; each unfolds to its most frequent values, counted over all rows of the range. */
export function ColumnsSection() {
  const { table } = useExplore();
  const [search, setSearch] = useState("");
  if (table === null) return null;
  const needle = search.trim().toLowerCase();
  const columns = table.columns.filter(
    ({ name }) => name !== timeColumn && name.toLowerCase().includes(needle),
  );
  return (
    <section className={styles.section} aria-label="Columns">
      <div className={styles.head}>
        <h2 className={styles.title}>Columns</h2>
        <input
          className={styles.search}
          aria-label="Search columns"
          placeholder="search"
          value={search}
          spellCheck={false}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <ul className={styles.list}>
        {columns.map((column) => (
          <ColumnEntry key={column.name} column={column} />
        ))}
      </ul>
    </section>
  );
}

function ColumnEntry({ column }: { readonly column: ColumnInfo }) {
  const { dispatch } = useExplore();
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className={styles.column}>
        <button
          type="button"
          className={styles.name}
          aria-expanded={open}
          title={column.name}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
          <span className={styles.clip}>{column.name}</span>
          <span className={styles.note}>{column.decimals > 0 ? "decimal" : column.type}</span>
        </button>
        <button
          type="button"
          className={styles.icon}
          aria-label={`Group by ${column.name}`}
          title={`Group by ${column.name}`}
          onClick={() => dispatch({ kind: "group by", group: usualGroup(column) })}
        >
          <Group size={13} />
        </button>
      </div>
      {open && <ValueList column={column} />}
    </li>
  );
}

const valuesStep = 8;

/** Values of lists are their elements. */
const listed = ({ name, type }: ColumnInfo): readonly GroupSpec[] =>
  type === "set" || type === "vector" ? [{ element: name }] : [];

function ValueList({ column }: { readonly column: ColumnInfo }) {
  const { dispatch } = useExplore();
  const [limit, setLimit] = useState(valuesStep);
  const { values, total, problem } = useColumnValues(column, "", limit);
  if (problem !== null) return <p className={styles.quiet}>{problem.message}</p>;
  if (values === null) return <p className={styles.quiet}>Counting values…</p>;
  if (values.length === 0) return <p className={styles.quiet}>No rows in this range.</p>;
  return (
    <ul className={styles.values}>
      {values.map(({ value, count }) => {
        const selection = {
          filters: filtersOfGroup([{ column: column.name, value }], listed(column)),
          range: null,
        };
        const label = value === null ? "(missing)" : value === "" ? "(empty)" : String(value);
        const share = total === null || total === 0 ? 0 : count / total;
        return (
          <li
            key={JSON.stringify(value)}
            className={styles.value}
            style={{ "--share": `${(share * 100).toFixed(1)}%` } as React.CSSProperties}
          >
            <span className={styles.clip} title={label}>
              {label}
            </span>
            <span className={styles.note} title={`${formatExact(count)} · ${formatCompact(count)}`}>
              {formatShare(share)}
            </span>
            <span className={styles.actions}>
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
      })}
      {values.length >= limit && (
        <li>
          <Button look="quiet" onClick={() => setLimit(limit * 3)}>
            more
          </Button>
        </li>
      )}
    </ul>
  );
}
