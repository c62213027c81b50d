import type { AlertStatus } from "@hadal/sdk";
import { formatMeasure } from "../../format/value.js";
import { Ago } from "../../ui/page/Ago.js";
import type { DataColumn } from "../../ui/table/DataTable.js";
import styles from "./alerts.module.css";
import { RecentLine } from "./RecentLine.js";
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
    cell: ({ id, title, text, reason, undelivered }) => (
      <span className={styles.titled}>
        <a href={`/alerts/${encodeURIComponent(id)}`} title={title}>
          {title}
        </a>
        <small title={reason ?? text}>{reason ?? `fires when ${text}`}</small>
        {undelivered > 0 && (
          <small className={styles.lack} data-testid="alert-undelivered">
            {undeliveredInWords(undelivered)}
          </small>
        )}
      </span>
    ),
  },
  {
    key: "recent",
    head: "Recent",
    wideOnly: true,
    cell: ({ recent }) => <RecentLine recent={recent} />,
  },
  {
    key: "value",
    head: "Value",
    align: "right",
    cell: ({ value, unit }) => formatMeasure(value, { unit }),
  },
  { key: "since", head: "Since", cell: ({ since }) => (since === null ? "–" : <Ago ms={since} />) },
  { key: "table", head: "Table", wideOnly: true, cell: ({ table }) => table },
];

export const undeliveredInWords = (count: number): string =>
  count === 1 ? "1 message did not arrive" : `${count} messages did not arrive`;

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
