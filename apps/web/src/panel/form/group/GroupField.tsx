import { type ColumnInfo, timeColumn } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { usesField } from "../../../chart/view/views.js";
import { printDuration } from "../../../format/duration.js";
import { columnsOfFilter } from "../../../query/filter/filterTree.js";
import {
  type GroupSpec,
  groupColumn,
  groupLabel,
  groupName,
} from "../../../query/group/groupSpec.js";
import { Select } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { PopupButton } from "../../../ui/popup/PopupButton.js";
import { useFormQuery } from "../../formQuery.js";
import { ColumnPick } from "../../menu/ColumnPick.js";
import { groupEdit } from "../../menu/groupEdit.js";
import { type ChipDrag, type TakesChips, useChipOrder } from "../part/chipOrder.js";
import { EditChip } from "../part/EditChip.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";
import { GroupEditor } from "./GroupEditor.js";

const steps = ["1s", "10s", "1m", "5m", "15m", "1h", "6h", "1d", "1w"];

export interface GroupFieldProps {
  /** The automatic time bucket; null: no answer yet. */
  readonly autoBucketMs: number | null;
  /** Opens a new filter on this column. */
  readonly onFilter: (column: string) => void;
}

/** The columns that the query groups by, in order. */
export function GroupField({ autoBucketMs, onFilter }: GroupFieldProps) {
  const { state, columns, dispatch, faultAt } = useFormQuery();
  const groupBy = (name: string): void => dispatch(groupEdit(state.table, columns, name));
  // A view that groups by time only shows no chips, because it would ignore them.
  const usesGroups = usesField(state.view, "group");
  const groups = usesGroups ? state.groupBy : [];
  const filterChips: TakesChips = {
    kind: "filter",
    onTake(index) {
      const [name] = columnsOfFilter(state.filters[index]?.filter ?? { all: [] });
      if (name !== undefined) groupBy(name);
    },
  };
  const order = useChipOrder(
    "group",
    groups.length,
    (from, to) => dispatch({ kind: "move group", from, to }),
    usesGroups ? filterChips : undefined,
  );
  return (
    <Field label="Group by" title="One line for each value (SQL: GROUP BY)">
      <div className={styles.chips} data-testid="group-chips" {...order.list}>
        {usesField(state.view, "bucket") && <BucketSelect autoBucketMs={autoBucketMs} />}
        {groups.map((spec, index) => (
          <GroupChip
            key={groupName(spec)}
            spec={spec}
            index={index}
            drag={order.chip(index)}
            onFilter={onFilter}
          />
        ))}
        {usesGroups && <GroupAdder onPick={groupBy} />}
      </div>
      <Fault text={faultAt("groupBy") ?? faultAt("bucket")} />
    </Field>
  );
}

function GroupAdder({ onPick }: { readonly onPick: (name: string) => void }) {
  const { state } = useFormQuery();
  return (
    <PopupButton
      label="Group by a column"
      title="Group by another column ( g )"
      testId="add-group"
      icon={<Plus size={14} />}
    >
      {(close) => (
        <ColumnPick
          label="Group by"
          testId="group-column"
          picked={state.groupBy.map(groupColumn)}
          onPick={(name) => {
            onPick(name);
            close();
          }}
        />
      )}
    </PopupButton>
  );
}

interface GroupChipProps {
  readonly spec: GroupSpec;
  readonly index: number;
  readonly drag: ChipDrag;
  readonly onFilter: (column: string) => void;
}

function GroupChip({ spec, index, drag, onFilter }: GroupChipProps) {
  const { columns, dispatch, faultAt } = useFormQuery();
  const name = groupColumn(spec);
  return (
    <EditChip
      testId="group-chip"
      title={groupLabel(spec)}
      fault={faultAt(`group ${index}`)}
      drag={drag}
      onRemove={() => dispatch({ kind: "ungroup", name: groupName(spec) })}
    >
      {(close) => (
        <GroupEditor
          column={columns.find((column) => column.name === name) ?? unknownColumn(name)}
          spec={spec}
          onDone={(group) => {
            dispatch({ kind: "replace group", index, group });
            close();
          }}
          onFilter={() => {
            close();
            onFilter(name);
          }}
        />
      )}
    </EditChip>
  );
}

/** Stands in for a column that is not loaded or does not exist. */
const unknownColumn = (name: string): ColumnInfo => ({
  name,
  type: name === timeColumn ? "int" : "string",
  decimals: 0,
  rows: 0,
  bytes: 0,
  compressionRatio: null,
});

/** The length of a time bucket; by default it depends on the range. */
function BucketSelect({ autoBucketMs }: Pick<GroupFieldProps, "autoBucketMs">) {
  const { state, dispatch } = useFormQuery();
  const auto = autoBucketMs === null ? "auto" : printDuration(autoBucketMs);
  return (
    <Select
      label="Time bucket"
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
