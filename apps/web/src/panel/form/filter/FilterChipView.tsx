import type { Filter } from "@hadal/sdk";
import { Pin } from "lucide-react";
import { useState } from "react";
import { formatShare } from "../../../format/change.js";
import { conditionOf } from "../../../query/filter/filterTree.js";
import { filterLabel } from "../../../query/filter/operators.js";
import type { FilterChip } from "../../../query/state/exploreState.js";
import { useFormQuery } from "../../formQuery.js";
import type { ChipDrag } from "../part/chipOrder.js";
import { EditChip } from "../part/EditChip.js";
import styles from "../part/form.module.css";
import { ConditionText } from "./ConditionText.js";
import { FilterActions } from "./FilterActions.js";
import { FilterEditor } from "./FilterEditor.js";

export interface FilterChipViewProps {
  readonly chip: FilterChip;
  readonly index: number;
  /** The share of events in the range that match the filter; null: not counted. */
  readonly share: number | null;
  readonly drag: ChipDrag;
}

/** A filter chip; a click opens its actions and its editor. */
export function FilterChipView({ chip, index, share, drag }: FilterChipViewProps) {
  const { dispatch, faultAt } = useFormQuery();
  const label = filterLabel(chip.filter);
  return (
    <EditChip
      testId="filter-chip"
      title={share === null ? label : `${label}: ${formatShare(share)} of all rows`}
      text={label}
      off={chip.off}
      note={share === null ? null : formatShare(share)}
      icon={chip.pinned === true && <Pin size={11} aria-label="pinned" />}
      fault={faultAt(`filter ${index}`)}
      drag={drag}
      onRemove={() => dispatch({ kind: "remove filter", index })}
    >
      {(close) => <FilterChipEditor chip={chip} index={index} onDone={close} />}
    </EditChip>
  );
}

interface FilterChipEditorProps extends Pick<FilterChipViewProps, "chip" | "index"> {
  readonly onDone: () => void;
}

/** The actions and the editor of a filter: fields, or SQL where the fields are not enough. */
function FilterChipEditor({ chip, index, onDone }: FilterChipEditorProps) {
  const { dispatch } = useFormQuery();
  const [asSql, setAsSql] = useState(false);
  const { filter } = chip;
  const hasFields = conditionOf(filter) !== null;
  const replace = (next: Filter): void => {
    dispatch({ kind: "replace filter", index, filter: next });
    onDone();
  };
  return (
    <div className={styles.editor}>
      <FilterActions
        chip={chip}
        index={index}
        asSql={asSql || !hasFields}
        onSql={() => setAsSql(true)}
        onDone={onDone}
      />
      {hasFields && !asSql ? (
        <FilterEditor initial={filter} onDone={replace} />
      ) : (
        <ConditionText initial={filter} onDone={replace} />
      )}
    </div>
  );
}
