import type { EmbedInfo } from "@hadal/sdk";
import { agoInWords } from "../../../format/ago.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatInstant } from "../../../format/time.js";
import { lengthInWords, viewName } from "../../../panel/embed/allowedInWords.js";
import { Button } from "../../../ui/button/Button.js";
import { ConfirmButton } from "../../../ui/button/ConfirmButton.js";
import type { DataColumn } from "../../../ui/table/DataTable.js";
import styles from "../base/embeds.module.css";

export interface EmbedColumnsOf {
  readonly onOpen: (embed: EmbedInfo) => void;
  readonly onRenew: (embed: EmbedInfo) => void;
  readonly onRevoke: (embed: EmbedInfo) => void;
}

export const embedColumns = (of: EmbedColumnsOf): readonly DataColumn<EmbedInfo>[] => [
  {
    key: "title",
    head: "Title",
    cell: (embed) => (
      <button
        type="button"
        className={styles.title}
        title={embed.title}
        data-testid="open-embed"
        onClick={() => of.onOpen(embed)}
      >
        {embed.title}
      </button>
    ),
  },
  { key: "table", head: "Table", cell: ({ scope }) => scope.table },
  {
    key: "views",
    head: "Views",
    wideOnly: true,
    cell: ({ scope }) => (
      <span className={styles.text}>{scope.views.map(viewName).join(", ")}</span>
    ),
  },
  {
    key: "hosts",
    head: "Shown by",
    cell: ({ scope }) =>
      scope.frameAncestors.length === 0 ? (
        <span className={styles.quiet}>no page</span>
      ) : (
        <span className={styles.text}>{scope.frameAncestors.join(", ")}</span>
      ),
  },
  {
    key: "expires",
    head: "Tokens end after",
    wideOnly: true,
    cell: ({ scope }) => lengthInWords(scope.expiresInMs),
  },
  {
    key: "created",
    head: "Created",
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
    cell: (embed) => <EmbedActions embed={embed} of={of} />,
  },
];

function EmbedActions({ embed, of }: { readonly embed: EmbedInfo; readonly of: EmbedColumnsOf }) {
  const { title, revokedMs } = embed;
  if (revokedMs !== null) {
    return (
      <span className={styles.quiet} title={formatInstant(revokedMs, ownTimeZone())}>
        revoked {agoInWords(revokedMs)}
      </span>
    );
  }
  return (
    <span className={styles.actions}>
      <Button look="quiet" aria-label={`New token of ${title}`} onClick={() => of.onRenew(embed)}>
        New token
      </Button>
      <ConfirmButton
        label="Revoke"
        subject={title}
        question="Revoke for good"
        onConfirm={() => of.onRevoke(embed)}
      />
    </span>
  );
}
