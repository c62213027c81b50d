import type { Grant, TokenInfo, User } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { distinctKeys } from "../../../format/name.js";
import type { Session } from "../../../session/session.js";
import { useChange } from "../../../session/useChange.js";
import { useLoaded } from "../../../session/useLoaded.js";
import { Button } from "../../../ui/button/Button.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { Section } from "../../../ui/page/Page.js";
import { Strip } from "../../../ui/page/Strip.js";
import { DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/people.module.css";
import { GrantForm } from "./GrantForm.js";
import { grantColumns } from "./grantColumns.js";
import { granteeOf, withGrant } from "./grantDraft.js";
import { SeenPreview } from "./SeenPreview.js";
import { everyone } from "./seenTables.js";

/** The grant that is edited: `new`, one of the list, or none. */
type Edited = Grant | "new" | null;

/** Who may read which tables, and a preview of what one person sees. */
export function GrantsTab({ session }: { readonly session: Session }) {
  const { value, problem, load } = useGrants(session);
  const { outcome, run } = useChange(load);
  const [edited, setEdited] = useState<Edited>(null);
  useEffect(() => void session.loadTables(), [session]);
  if (value === null) {
    return (
      <Awaited problem={problem} title="The grants cannot be loaded" onAgain={() => void load()} />
    );
  }
  const { grants, users, tokens } = value;
  const { client } = session;
  const put = (before: Grant | null, after: Grant | null): void =>
    void run(async () => {
      // Another admin may have changed the list meanwhile.
      await client.grants.replace(withGrant(await client.grants.list(), before, after));
      setEdited(null);
      return after === null ? "The grant is removed." : "The grant is saved.";
    });
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.hint}>
          Admins read every table. Everyone else reads only what is granted; a table without a grant
          does not exist for them.
        </p>
        <Button look="main" data-testid="add-grant" onClick={() => setEdited("new")}>
          <Plus size={14} /> Add grant
        </Button>
      </div>
      {edited !== null && (
        <GrantForm
          key={edited === "new" ? "" : JSON.stringify(edited)}
          session={session}
          grant={edited === "new" ? null : edited}
          names={namesOf(users, tokens)}
          onSave={(grant) => put(edited === "new" ? null : edited, grant)}
          onCancel={() => setEdited(null)}
        />
      )}
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="people-outcome">
          {outcome.text}
        </Strip>
      )}
      <GrantTable
        grants={grants}
        users={users}
        onEdit={setEdited}
        onRemove={(grant) => put(grant, null)}
      />
      <Section title="What one person sees" testId="seen">
        <SeenPreview users={users} tokens={tokens} grants={grants} />
      </Section>
    </>
  );
}

interface Listed {
  readonly grants: readonly Grant[];
  readonly users: readonly User[];
  readonly tokens: readonly TokenInfo[];
}

function useGrants({ client }: Session) {
  const read = useCallback(async (): Promise<Listed> => {
    const [grants, users, tokens] = await Promise.all([
      client.grants.list(),
      client.users.list(),
      client.tokens.list(),
    ]);
    return { grants, users, tokens };
  }, [client]);
  return useLoaded(read);
}

const namesOf = (users: readonly User[], tokens: readonly TokenInfo[]) => ({
  user: users.map(({ name }) => name),
  group: [...new Set([everyone, ...users.flatMap(({ groups }) => groups)])],
  token: tokens.map(({ id, name }) => (name === "" ? id : name)),
});

interface GrantTableProps {
  readonly grants: readonly Grant[];
  readonly users: readonly User[];
  readonly onEdit: (grant: Grant) => void;
  readonly onRemove: (grant: Grant) => void;
}

function GrantTable({ grants, users, onEdit, onRemove }: GrantTableProps) {
  const nameOf = (grant: Grant): string => {
    const { name } = granteeOf(grant);
    return users.find(({ id }) => id === name)?.name ?? name;
  };
  const keys = distinctKeys(grants.map((grant) => JSON.stringify(grant)));
  const rows = grants.map((grant, i) => ({ grant, key: keys[i] ?? "" }));
  return (
    <DataTable
      label="Grants"
      testId="grants"
      rowTestId="grant"
      columns={grantColumns({ nameOf, onEdit, onRemove })}
      rows={rows}
      rowKey={({ key }) => key}
      empty="No grants yet: only admins read tables."
    />
  );
}
