import type { AlertEvent, AlertRule } from "@hadal/sdk";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant, formatIso } from "../../format/time.js";
import { formatMeasure } from "../../format/value.js";
import { stateWords } from "../../panel/alert/alertWords.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";
import { whyUrl } from "./whyUrl.js";

const words: Readonly<Record<string, string>> = {
  ...stateWords,
  ...{ acknowledged: "acknowledged", unmuted: "unmuted", undelivered: "not delivered" },
};

export interface EventTableProps {
  /** The newest first. */
  readonly events: readonly AlertEvent[];
  readonly rule: AlertRule;
  readonly unit: string | undefined;
}

/** The changes of a rule's states, and what people did. */
export function EventTable({ events, rule, unit }: EventTableProps) {
  const columns: readonly DataColumn<AlertEvent>[] = [
    {
      key: "when",
      head: "When",
      cell: ({ at }) => <span title={formatIso(at)}>{formatInstant(at, ownTimeZone())}</span>,
    },
    { key: "state", head: "State", cell: ({ state }) => words[state] ?? state },
    {
      key: "value",
      head: "Value",
      align: "right",
      cell: ({ value }) => formatMeasure(value, { unit }),
    },
    {
      key: "group",
      head: "Group",
      cell: ({ group }) => group?.map((one) => String(one ?? "missing")).join(" · ") ?? "",
    },
    { key: "who", head: "By", wideOnly: true, cell: ({ who }) => who ?? "" },
    {
      key: "reason",
      head: "Why",
      cell: ({ at, toMs = at, state, reason }) =>
        state === "firing" ? (
          <a href={whyUrl(rule, toMs)} data-testid="why-fired">
            What changed?
          </a>
        ) : (
          (reason ?? "")
        ),
    },
  ];
  return (
    <DataTable
      label="History"
      testId="alert-history"
      rowTestId="alert-event"
      columns={columns}
      rows={events}
      rowKey={({ at, state, group, firing }) => JSON.stringify([at, state, group, firing])}
      empty="Nothing yet: it has been in one state since it was made."
    />
  );
}
