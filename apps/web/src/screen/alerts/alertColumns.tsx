import type { AlertStatus } from "@hadal/sdk";
import { formatMeasure } from "../../format/value.js";
import { Ago } from "../../ui/page/Ago.js";
import type { DataColumn } from "../../ui/table/DataTable.js";
import styles from "./alerts.module.css";
import { StateMark } from "./StateMark.js";

export interface ColumnsOf {
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  readonly mayChange: boolean;
}

export const alertColumns = (of: ColumnsOf): readonly DataColumn<AlertStatus>[] => [
  ...(of.mayChange ? [choiceColumn(of)] : []),
  { key: "state", head: "State", cell: ({ state }) => <StateMark state={state} /> },
  {
    key: "title",
    head: "Alert",
    cell: ({ id, title, reason }) => (
      <span className={styles.titled}>
        <a href={`/alerts/${encodeURIComponent(id)}`} title={title}>
          {title}
        </a>
        {reason !== null && <small title={reason}>{reason}</small>}
      </span>
    ),
  },
  {
    key: "value",
    head: "Value",
    align: "right",
    cell: ({ value }) => formatMeasure(value, {}),
  },
  { key: "since", head: "Since", cell: ({ since }) => (since === null ? "–" : <Ago ms={since} />) },
  { key: "table", head: "Table", wideOnly: true, cell: ({ table }) => table },
];

const choiceColumn = ({ chosen, onChosen }: ColumnsOf): DataColumn<AlertStatus> => ({
  key: "choice",
  head: <span className={styles.hidden}>Chosen</span>,
  cell: ({ id, title }) => (
    <input
      type="checkbox"
      aria-label={`Choose ${title}`}
      data-testid="choose-alert"
      checked={chosen.has(id)}
      onChange={({ target }) => {
        const next = new Set(chosen);
        if (target.checked) next.add(id);
        else next.delete(id);
        onChosen(next);
      }}
    />
  ),
});
