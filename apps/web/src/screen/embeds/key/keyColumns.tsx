import type { EmbedKey } from "@hadal/sdk";
import { agoInWords } from "../../../format/ago.js";
import { expiryText } from "../../../format/expiryText.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatInstant } from "../../../format/time.js";
import { ConfirmButton } from "../../../ui/button/ConfirmButton.js";
import type { DataColumn } from "../../../ui/table/DataTable.js";
import styles from "../base/embeds.module.css";

/** The server's own keys are replaced, not removed. */
export const keyColumns = (onRemove: (key: EmbedKey) => void): readonly DataColumn<EmbedKey>[] => [
  {
    key: "name",
    head: "Signed by",
    cell: ({ source, name }) => (
      <span className={styles.name} title={name}>
        {source === "server" ? "this server" : name}
      </span>
    ),
  },
  { key: "kid", head: "Kid", cell: ({ kid }) => <code className={styles.text}>{kid}</code> },
  {
    key: "tables",
    head: "Tables",
    cell: ({ tables }) => (
      <span className={styles.text}>{tables === null ? "every table" : tables.join(", ")}</span>
    ),
  },
  {
    key: "created",
    head: "Added",
    wideOnly: true,
    cell: ({ createdBy, createdMs }) => (
      <span title={formatInstant(createdMs, ownTimeZone())}>
        {createdBy !== null && `${createdBy}, `}
        {agoInWords(createdMs)}
      </span>
    ),
  },
  {
    key: "actions",
    head: <span className={styles.hidden}>Actions</span>,
    align: "right",
    cell: (key) =>
      key.source === "host" ? (
        <ConfirmButton
          label="Remove"
          subject={key.name}
          question="Remove and refuse its tokens"
          onConfirm={() => onRemove(key)}
        />
      ) : (
        <span className={styles.quiet}>
          {key.endsMs === null ? "in use" : `replaced, ends ${expiryText(key.endsMs, Date.now())}`}
        </span>
      ),
  },
];
