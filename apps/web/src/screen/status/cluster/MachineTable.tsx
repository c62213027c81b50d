import type { MachineInfo } from "@hadal/sdk";
import { formatCompact, formatExact } from "../../../format/number.js";
import { ConfirmButton } from "../../../ui/button/ConfirmButton.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "./cluster.module.css";

export interface MachineTableProps {
  readonly machines: readonly MachineInfo[];
  /** Absent for whoever may not. */
  readonly onDrain?: (machine: string, drain: boolean) => void;
}

/** The machines with their state, and the button that empties one. */
export function MachineTable({ machines, onDrain }: MachineTableProps) {
  return (
    <DataTable
      label="Machines"
      testId="machines"
      rowTestId="machine"
      columns={columnsOf(machines, onDrain)}
      rows={machines}
      rowKey={({ name }) => name}
      empty="No machine is a member yet: start one with --role aggregator."
    />
  );
}

function columnsOf(
  machines: readonly MachineInfo[],
  onDrain: MachineTableProps["onDrain"],
): readonly DataColumn<MachineInfo>[] {
  return [
    { key: "name", head: "Machine", cell: nameCell },
    { key: "state", head: "State", cell: ({ state }) => state },
    {
      ...{ key: "leaves", head: "Leaves", align: "right", wideOnly: true },
      cell: ({ leaves }) => <span title={leaves.join(", ")}>{leaves.length}</span>,
    },
    { key: "rows", head: "Rows", align: "right", cell: rowsCell },
    { key: "copies", head: "Copies held", wideOnly: true, align: "right", cell: copiesCell },
    { key: "version", head: "Version", wideOnly: true, cell: versionCell },
    { key: "address", head: "Address", wideOnly: true, cell: addressCell },
    ...(onDrain === undefined || machines.length < 2 ? [] : [drainColumn(machines, onDrain)]),
  ];
}

function drainColumn(
  machines: readonly MachineInfo[],
  onDrain: DrainProps["onDrain"],
): DataColumn<MachineInfo> {
  const taking = machines.filter(takesRows);
  return {
    key: "drain",
    head: <span className={styles.hidden}>Drain</span>,
    align: "right",
    cell: (machine) => <Drain {...{ machine, onDrain }} isLast={isLast(machine, taking)} />,
  };
}

const takesRows = ({ state }: MachineInfo): boolean => state === "alive" || state === "suspect";

const isLast = (machine: MachineInfo, taking: readonly MachineInfo[]): boolean =>
  taking.length === 1 && taking[0] === machine;

const nameCell = ({ name, state }: MachineInfo) => (
  <span className={styles.machine} title={name}>
    <i className={styles.state} data-state={state} />
    <span className={styles.name}>{name}</span>
  </span>
);

const rowsCell = ({ rows }: MachineInfo) =>
  rows === null ? "–" : <span title={formatExact(rows)}>{formatCompact(rows)}</span>;

function copiesCell({ copies }: MachineInfo) {
  const whole = copies.filter(({ state }) => state === "whole").length;
  if (copies.length === 0) return "none";
  const title = copies.map(({ leaf, state }) => `${leaf}: ${state}`).join(", ");
  const text = whole === copies.length ? `${whole}` : `${whole} of ${copies.length} whole`;
  return <span title={title}>{text}</span>;
}

const versionCell = ({ version, protocol }: MachineInfo) => (
  <span title={`protocol ${protocol} between members`}>
    {version === "" ? `protocol ${protocol}` : version}
  </span>
);

const addressCell = ({ address }: MachineInfo) => <code className={styles.code}>{address}</code>;

interface DrainProps {
  readonly machine: MachineInfo;
  readonly onDrain: NonNullable<MachineTableProps["onDrain"]>;
  /** No other one would take rows. */
  readonly isLast: boolean;
}

function Drain({ machine: { name, state }, isLast, onDrain }: DrainProps) {
  if (state === "draining" || state === "drained") {
    return (
      <ConfirmButton
        label="Take rows again"
        subject={name}
        question={`Send rows to ${name} again`}
        onConfirm={() => onDrain(name, false)}
      />
    );
  }
  if (isLast) {
    return (
      <span className={styles.quiet} title="No other machine would take rows">
        takes all rows
      </span>
    );
  }
  return (
    <ConfirmButton
      label="Drain"
      subject={name}
      question={`Send no more rows to ${name}`}
      onConfirm={() => onDrain(name, true)}
    />
  );
}
