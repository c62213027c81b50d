import { Plus } from "lucide-react";
import { useState } from "react";
import { printDuration } from "../../../format/duration.js";
import { groupColumn, groupLabel, groupName } from "../../../query/groupSpec.js";
import { usesField } from "../../../query/views/registry.js";
import { Button } from "../../../ui/Button.js";
import { Chip } from "../../../ui/Chip.js";
import { Popup } from "../../../ui/Popup.js";
import { Select } from "../../../ui/Select.js";
import { useExplore } from "../explore.js";
import { ColumnPick } from "./ColumnPick.js";
import { Fault, Field } from "./Field.js";
import styles from "./form.module.css";

const steps = ["1s", "10s", "1m", "5m", "15m", "1h", "6h", "1d", "1w"];

export interface GroupFieldProps {
  /** The step in use when the range chooses it; null until an answer has come. */
  readonly autoBucketMs: number | null;
}

/** By what the numbers are split. */
export function GroupField({ autoBucketMs }: GroupFieldProps) {
  const { state, dispatch, faultAt } = useExplore();
  const [open, setOpen] = useState(false);
  return (
    <Field label="Group by">
      <div className={styles.chips}>
        {usesField(state.view, "bucket") && <BucketSelect autoBucketMs={autoBucketMs} />}
        {state.groupBy.map((spec, index) => (
          <Chip
            key={groupName(spec)}
            testId="group-chip"
            title={groupLabel(spec)}
            fault={faultAt(`group ${index}`)}
            onRemove={() => dispatch({ kind: "ungroup", name: groupName(spec) })}
          >
            {groupLabel(spec)}
          </Chip>
        ))}
        <Popup
          open={open}
          onOpenChange={setOpen}
          label="Group by a column"
          trigger={
            <Button
              look="quiet"
              data-testid="add-group"
              title="Group by another column"
              aria-label="Add group"
            >
              <Plus size={14} />
            </Button>
          }
        >
          <ColumnPick
            label="Group by"
            testId="group-column"
            picked={state.groupBy.map(groupColumn)}
            allows={(column) => column.type === "int" || column.type === "string"}
            onPick={(column) => {
              dispatch({ kind: "group by", group: column });
              setOpen(false);
            }}
          />
        </Popup>
      </div>
      <Fault text={faultAt("groupBy") ?? faultAt("bucket")} />
    </Field>
  );
}

/** How long a step of time is; by default as long as the range asks for. */
function BucketSelect({ autoBucketMs }: GroupFieldProps) {
  const { state, dispatch } = useExplore();
  const auto = autoBucketMs === null ? "auto" : printDuration(autoBucketMs);
  return (
    <Select
      label="Step of time"
      testId="bucket-picker"
      value={state.bucket ?? ""}
      options={[
        { value: "", label: `time · ${auto}` },
        ...steps.map((value) => ({ value, label: `time · ${value}` })),
      ]}
      onChange={(value) => dispatch({ kind: "set bucket", bucket: value === "" ? null : value })}
    />
  );
}
