import type { Filter } from "@hadal/sdk";
import { filterLabel } from "../../../query/filter/operators.js";
import { EditChip } from "../part/EditChip.js";
import styles from "../part/form.module.css";
import { FilterAdder } from "./FilterAdder.js";
import { FilterEditor } from "./FilterEditor.js";

export interface ConditionLineProps {
  readonly testId: string;
  /** null: all rows. */
  readonly where: Filter | null;
  readonly onChange: (where: Filter | null) => void;
}

/** The condition of an aggregate: which rows it counts. */
export function ConditionLine({ testId, where, onChange }: ConditionLineProps) {
  return (
    <div className={styles.line}>
      <span className={styles.hint}>only rows where</span>
      {where === null ? (
        <FilterAdder label="Count only some rows" testId={testId} onAdd={onChange} />
      ) : (
        <EditChip testId={testId} title={filterLabel(where)} onRemove={() => onChange(null)}>
          {(close) => (
            <FilterEditor
              initial={where}
              onDone={(next) => {
                onChange(next);
                close();
              }}
            />
          )}
        </EditChip>
      )}
    </div>
  );
}
