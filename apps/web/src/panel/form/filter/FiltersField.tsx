import { X } from "lucide-react";
import type { Ref } from "react";
import { distinctKeys } from "../../../format/name.js";
import { printFilter } from "../../../query/filter/filterUrl.js";
import { filterLabel } from "../../../query/filter/operators.js";
import { groupColumn } from "../../../query/group/groupSpec.js";
import { Button } from "../../../ui/button/Button.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import { useChipOrder } from "../part/chipOrder.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";
import { FilterAdder } from "./FilterAdder.js";
import { FilterChipView } from "./FilterChipView.js";
import { FilterLine } from "./FilterLine.js";
import { useChipShares } from "./useChipShares.js";

export interface FiltersFieldProps {
  /** Default: Filters. */
  readonly label?: string | undefined;
  readonly addRef: Ref<HTMLButtonElement>;
  /** The answer is final: shares may be counted. */
  readonly settled: boolean;
  /** The column of a requested filter; null: none. */
  readonly column: string | null;
  readonly onColumn: (column: string | null) => void;
}

/** The filters, one chip each; a row must match all. */
export function FiltersField(props: FiltersFieldProps) {
  const { label = "Filters", addRef, settled, column, onColumn } = props;
  const { state, dispatch, faultAt } = useFormQuery();
  const { filters, groupBy } = state;
  const keys = distinctKeys(filters.map((chip) => filterLabel(chip.filter)));
  const shares = useChipShares({ settled });
  const order = useChipOrder(
    "filter",
    filters.length,
    (from, to) => dispatch({ kind: "move filter", from, to }),
    {
      kind: "group",
      onTake(index) {
        const group = groupBy[index];
        if (group !== undefined) onColumn(groupColumn(group));
      },
    },
  );
  return (
    <Field label={label} title="Only rows where … (SQL: WHERE)">
      <FilterLine />
      <div className={styles.chips} data-testid="filter-chips" {...order.list}>
        {filters.map((chip, index) => (
          <FilterChipView
            key={keys[index]}
            chip={chip}
            index={index}
            share={chip.off ? null : (shares.get(printFilter(chip.filter)) ?? null)}
            drag={order.chip(index)}
          />
        ))}
        <FilterAdder
          label="Add a filter ( / )"
          testId="add-filter"
          buttonRef={addRef}
          column={column}
          onClose={() => onColumn(null)}
          onAdd={(filter) => dispatch({ kind: "add filter", filter })}
        />
        {filters.filter(({ pinned }) => pinned !== true).length > 1 && (
          <Button
            look="quiet"
            data-testid="clear-filters"
            title="Remove all filters except pinned ones"
            onClick={() => dispatch({ kind: "clear filters" })}
          >
            <X size={13} /> all
          </Button>
        )}
      </div>
      <Fault text={faultAt("filter")} />
    </Field>
  );
}
