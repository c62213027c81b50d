import type { CreatedToken, TokenInfo } from "@hadal/sdk";
import { useCallback, useEffect, useState } from "react";
import { useStore } from "zustand";
import { expiryText } from "../../../format/expiryText.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatInstant } from "../../../format/time.js";
import type { Session } from "../../../session/session.js";
import { useChange } from "../../../session/useChange.js";
import { useLoaded } from "../../../session/useLoaded.js";
import { ConfirmButton } from "../../../ui/button/ConfirmButton.js";
import { Ago } from "../../../ui/page/Ago.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { ShownOnce } from "../../../ui/page/ShownOnce.js";
import { Strip } from "../../../ui/page/Strip.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/people.module.css";
import { TokenForm } from "./TokenForm.js";

/** Tokens of programs. */
export function TokensTab({ session }: { readonly session: Session }) {
  const { tokens } = session.client;
  const { tables } = useStore(session);
  const { value, problem, load } = useLoaded(useCallback(() => tokens.list(), [tokens]));
  const { outcome, run } = useChange(load);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  useEffect(() => void session.loadTables(), [session]);
  if (value === null) {
    return (
      <Awaited problem={problem} title="The tokens cannot be loaded" onAgain={() => void load()} />
    );
  }
  return (
    <>
      <TokenForm
        tables={tables ?? []}
        onCreate={(draft) =>
          run(async () => {
            setCreated(await tokens.create(draft));
            return null;
          })
        }
      />
      {created !== null && (
        <ShownOnce
          title={`Token of ${created.name}`}
          note="Programs send it as Authorization: Bearer. It is not shown again."
          text={created.token}
          onClose={() => setCreated(null)}
        />
      )}
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="people-outcome">
          {outcome.text}
        </Strip>
      )}
      <DataTable
        label="Tokens"
        testId="tokens"
        rowTestId="token"
        columns={tokenColumns(
          ({ id, name }) =>
            void run(async () => {
              await tokens.revoke(id);
              return `The token of ${name} is revoked: within 5 seconds nothing accepts it.`;
            }),
        )}
        rows={value}
        rowKey={({ id }) => id}
        empty="No tokens yet. Programs need one where people sign in."
      />
    </>
  );
}

function tokenColumns(onRevoke: (token: TokenInfo) => void): readonly DataColumn<TokenInfo>[] {
  return [
    {
      key: "name",
      head: "Program",
      cell: ({ id, name }) => (
        <span className={styles.name} title={id}>
          {name === "" ? id : name}
        </span>
      ),
    },
    {
      key: "scopes",
      head: "May",
      cell: ({ scopes }) => <code className={styles.text}>{scopes.join(", ")}</code>,
    },
    {
      key: "ends",
      head: "Ends",
      cell: ({ expires }) => (
        <span title={expires === null ? undefined : formatInstant(expires, ownTimeZone())}>
          {expiryText(expires, Date.now())}
        </span>
      ),
    },
    {
      key: "used",
      head: "Last use",
      cell: ({ lastUsed }) =>
        lastUsed === null ? <span className={styles.quiet}>never</span> : <Ago ms={lastUsed} />,
    },
    {
      key: "created",
      head: "Created",
      wideOnly: true,
      cell: ({ createdBy, createdMs }) => (
        <>
          {createdBy !== null && `${createdBy}, `}
          <Ago ms={createdMs} />
        </>
      ),
    },
    {
      key: "actions",
      head: <span className={styles.hidden}>Actions</span>,
      align: "right",
      cell: (token) => (
        <ConfirmButton
          label="Revoke"
          subject={token.name}
          question="Revoke for good"
          onConfirm={() => onRevoke(token)}
        />
      ),
    },
  ];
}
