import { Pin } from "lucide-react";
import { useState } from "react";
import { formatShare } from "../../../format/change.js";
import type { FilterChip } from "../../../query/exploreState.js";
import { filterLabel } from "../../../query/operators.js";
import { ChipTrigger } from "../../../ui/Chip.js";
import { Popup } from "../../../ui/Popup.js";
import { useExplore } from "../explore.js";
import { ConditionText } from "./ConditionText.js";
import type { ChipDrag } from "./chipOrder.js";
import { FilterActions } from "./FilterActions.js";
import { FilterEditor } from "./FilterEditor.js";
import styles from "./form.module.css";

export interface FilterChipViewProps {
  readonly chip: FilterChip;
  readonly index: number;
  /** Of all events of the range, those that pass it; null while nobody knows. */
  readonly share: number | null;
  readonly drag: ChipDrag;
}

/** A filter: its label opens what can be done with it and its editor, in fields or as SQL. */
export function FilterChipView({ chip, index, share, drag }: FilterChipViewProps) {
  const { dispatch, faultAt } = useExplore();
  const [open, setOpen] = useState(false);
  const [asSql, setAsSql] = useState(false);
  const { filter } = chip;
  const label = filterLabel(filter);
  const close = (): void => setOpen(false);
  return (
    <Popup
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setAsSql(false);
      }}
      label={label}
      trigger={
        <ChipTrigger
          testId="filter-chip"
          title={share === null ? label : `${label}: ${formatShare(share)} of all rows`}
          text={label}
          off={chip.off}
          note={share === null ? null : formatShare(share)}
          icon={chip.pinned === true && <Pin size={11} aria-label="pinned" />}
          fault={faultAt(`filter ${index}`)}
          drag={drag}
          onRemove={() => dispatch({ kind: "remove filter", index })}
        />
      }
    >
      <div className={styles.editor}>
        <FilterActions
          chip={chip}
          index={index}
          asSql={asSql || !("column" in filter)}
          onSql={() => setAsSql(true)}
          onDone={close}
        />
        {"column" in filter && !asSql ? (
          <FilterEditor
            initial={filter}
            onDone={(next) => {
              dispatch({ kind: "replace filter", index, filter: next });
              close();
            }}
          />
        ) : (
          <ConditionText
            initial={filter}
            onDone={(next) => {
              dispatch({ kind: "replace filter", index, filter: next });
              close();
            }}
          />
        )}
      </div>
    </Popup>
  );
}
