import { type ClusterPlan, type PlanNumber, planShapes } from "@hadal/sdk";
import { SelectField } from "../../../ui/field/SelectField.js";
import { TextField } from "../../../ui/field/TextField.js";
import styles from "./planner.module.css";
import { type CheckedInputs, type PlannerInputs, withNumber } from "./plannerInputs.js";

export interface PlanFormProps {
  readonly inputs: PlannerInputs;
  readonly faults: CheckedInputs["faults"];
  /** What empty fields stand for. */
  readonly planned: ClusterPlan["planned"] | null;
  /** Names of tables. */
  readonly tables: readonly string[];
  readonly onChange: (inputs: PlannerInputs) => void;
}

const fields: readonly { readonly name: PlanNumber; readonly label: string }[] = [
  { name: "machines", label: "Machines" },
  { name: "leaves", label: "Leaves a machine" },
  { name: "fanOut", label: "Fan-out" },
  { name: "rows", label: "Rows a leaf" },
  { name: "groups", label: "Groups" },
  { name: "copies", label: "Copies of rows" },
];

const shapeLabels = {
  scan: "Numbers over all rows",
  "time-series": "Groups over time",
  groups: "Groups",
} as const;

/** The cluster to plan. Empty fields are as the running cluster has it. */
export function PlanForm({ inputs, faults, planned, tables, onChange }: PlanFormProps) {
  const { numbers, shape, table } = inputs;
  const names = table === "" || tables.includes(table) ? tables : [table, ...tables];
  return (
    <form
      className={styles.form}
      aria-label="Cluster to plan"
      onSubmit={(event) => event.preventDefault()}
    >
      {fields
        .filter(({ name }) => name !== "groups" || shape !== "scan")
        .map(({ name, label }) => (
          <TextField
            key={name}
            {...{ label, testId: `plan-${name}`, fault: faults.get(name) }}
            value={numbers.get(name) ?? ""}
            example={planned === null ? "" : String(planned[name])}
            onChange={(text) => onChange(withNumber(inputs, name, text))}
          />
        ))}
      <SelectField
        label="Query"
        testId="plan-shape"
        value={shape}
        options={planShapes.map((value) => ({ value, label: shapeLabels[value] }))}
        fault={undefined}
        onChange={(value) =>
          onChange({ ...inputs, shape: planShapes.find((one) => one === value) ?? shape })
        }
      />
      <SelectField
        label="Table"
        testId="plan-table"
        value={table}
        options={[
          { value: "", label: "the largest" },
          ...names.map((value) => ({ value, label: value })),
        ]}
        fault={undefined}
        onChange={(value) => onChange({ ...inputs, table: value })}
      />
    </form>
  );
}
