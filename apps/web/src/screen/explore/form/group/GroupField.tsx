import { type ColumnInfo, timeColumn } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { usesField } from "../../../../chart/view/views.js";
import { printDuration } from "../../../../format/duration.js";
import { ColumnPick } from "../../../../panel/menu/ColumnPick.js";
import { groupEdit } from "../../../../panel/menu/groupEdit.js";
import { columnsOfFilter } from "../../../../query/filter/filterTree.js";
import {
  type GroupSpec,
  groupColumn,
  groupLabel,
  groupName,
} from "../../../../query/group/groupSpec.js";
import { Select } from "../../../../ui/button/Select.js";
import { PopupButton } from "../../../../ui/popup/PopupButton.js";
import { useExplore } from "../../explore.js";
import { type ChipDrag, type TakesChips, useChipOrder } from "../part/chipOrder.js";
import { EditChip } from "../part/EditChip.js";
import { Fault, Field } from "../part/Field.js";
import styles from "../part/form.module.css";
import { GroupEditor } from "./GroupEditor.js";

const steps = ["1s", "10s", "1m", "5m", "15m", "1h", "6h", "1d", "1w"];

export interface GroupFieldProps {
  /** The step in use when the range chooses it; null until an answer has come. */
  readonly autoBucketMs: number | null;
  /** A filter by this column is to be written. */
  readonly onFilter: (column: string) => void;
}

/** By what the numbers are split, in this order. */
export function GroupField({ autoBucketMs, onFilter }: GroupFieldProps) {
  const { state, columns, dispatch, faultAt } = useExplore();
  const groupBy = (name: string): void => dispatch(groupEdit(state.table, columns, name));
  // A view that splits by time alone leaves the groups to the others: a chip would promise a split.
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
  const { state } = useExplore();
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
  const { columns, dispatch, faultAt } = useExplore();
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

/** Until the columns are read, and where the table lacks one. */
const unknownColumn = (name: string): ColumnInfo => ({
  name,
  type: name === timeColumn ? "int" : "string",
  decimals: 0,
  rows: 0,
  bytes: 0,
  compressionRatio: null,
});

/** How long a step of time is; by default as long as the range asks for. */
function BucketSelect({ autoBucketMs }: Pick<GroupFieldProps, "autoBucketMs">) {
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
