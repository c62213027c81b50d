import type { ColumnInfo, ColumnType, Facet } from "@hadal/sdk";
import { Braces, CaseSensitive, Filter, Group, Hash, Layers, type LucideIcon } from "lucide-react";
import { formatShare } from "../../format/change.js";
import { shortenName } from "../../format/name.js";
import { formatCompact, formatExact } from "../../format/number.js";
import { useFormQuery } from "../formQuery.js";
import { groupEdit } from "../menu/groupEdit.js";
import { FacetValues } from "./FacetValues.js";
import styles from "./facets.module.css";

const icons: Readonly<Record<ColumnType, LucideIcon>> = {
  int: Hash,
  string: CaseSensitive,
  set: Braces,
  vector: Layers,
};

export interface FacetEntryProps {
  readonly column: ColumnInfo;
  /** null: not counted yet. */
  readonly facet: Facet | null;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onFilter: () => void;
}

/** One column: type, number of distinct values, share of rows; expands to its values. */
export function FacetEntry({ column, facet, open, onToggle, onFilter }: FacetEntryProps) {
  const { state, dispatch } = useFormQuery();
  const { name, type } = column;
  const Icon = icons[type];
  const typeText = column.decimals > 0 ? "decimal" : type;
  return (
    <>
      <div className={styles.column} data-testid="facet">
        <button
          type="button"
          className={styles.name}
          aria-expanded={open}
          title={`${name}: ${typeText}${factsOf(facet)}`}
          onClick={onToggle}
        >
          <Icon size={13} aria-label={typeText} />
          <span className={styles.clip}>{shortenName(name, 40)}</span>
          {facet !== null && facet.fill < 0.9995 && (
            <span className={styles.fill} data-testid="facet-fill">
              {formatShare(facet.fill)}
            </span>
          )}
          <span className={styles.note} data-testid="facet-distinct">
            {facet === null ? "" : distinctText(facet)}
          </span>
        </button>
        <span className={styles.icons}>
          <button
            type="button"
            aria-label={`Filter by ${name}`}
            title={`Filter by ${name}`}
            onClick={onFilter}
          >
            <Filter size={12} />
          </button>
          <button
            type="button"
            aria-label={`Group by ${name}`}
            title={`Group by ${name}`}
            onClick={() => dispatch(groupEdit(state.table, [column], name))}
          >
            <Group size={12} />
          </button>
        </span>
      </div>
      {open && <FacetValues column={column} known={facet} />}
    </>
  );
}

function distinctText({ distinct, distinctIsExact }: Facet): string {
  if (distinct === null) return "many";
  return `${distinctIsExact ? "" : "~"}${formatCompact(distinct)}`;
}

function factsOf(facet: Facet | null): string {
  if (facet === null) return "";
  const many = facet.distinct === null ? "too many to count" : formatExact(facet.distinct);
  const about = facet.distinctIsExact ? "" : "about ";
  return `, ${about}${many} distinct values, in ${formatShare(facet.fill)} of the rows that match`;
}
