import type { Permission, TableInfo, TokenDraft } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Chip } from "../../../ui/button/Chip.js";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/people.module.css";
import {
  expiries,
  never,
  permissionText,
  scopeOf,
  scopePermissions,
  takesTable,
} from "./tokenText.js";

export interface TokenFormProps {
  readonly tables: readonly TableInfo[];
  /** Whether the token was created. */
  readonly onCreate: (draft: TokenDraft) => Promise<boolean>;
}

/** A new token: what it is for, what it may do, and until when. */
export function TokenForm({ tables, onCreate }: TokenFormProps) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [expires, setExpires] = useState("90d");
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const draft = { name: name.trim(), scopes, ...(expires !== never && { expires }) };
    if (!(await onCreate(draft))) return;
    setName("");
    setScopes([]);
  };
  return (
    <form className={styles.tokenForm} onSubmit={(event) => void submit(event)}>
      <div className={styles.line}>
        <label className={styles.labelled}>
          For which program
          <input
            className={styles.input}
            data-testid="token-name"
            value={name}
            placeholder="agent of the web servers"
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <span className={styles.labelled}>
          Ends
          <Select
            label="Ends"
            testId="token-expires"
            value={expires}
            options={expiries}
            onChange={setExpires}
          />
        </span>
        <ScopePicker
          tables={tables}
          onAdd={(scope) => setScopes([...new Set([...scopes, scope])])}
        />
        <Button
          look="main"
          type="submit"
          data-testid="create-token"
          disabled={name.trim() === "" || scopes.length === 0}
          title={scopes.length === 0 ? "Add what it may do first" : undefined}
        >
          Create token
        </Button>
      </div>
      <Scopes
        scopes={scopes}
        onRemove={(scope) => setScopes(scopes.filter((one) => one !== scope))}
      />
    </form>
  );
}

interface ScopesProps {
  readonly scopes: readonly string[];
  readonly onRemove: (scope: string) => void;
}

function Scopes({ scopes, onRemove }: ScopesProps) {
  if (scopes.length === 0) return null;
  return (
    <div className={styles.chips} data-testid="scopes">
      {scopes.map((scope) => (
        <Chip key={scope} testId="scope" title={scope} onRemove={() => onRemove(scope)}>
          {scope}
        </Chip>
      ))}
    </div>
  );
}

interface ScopePickerProps {
  readonly tables: readonly TableInfo[];
  readonly onAdd: (scope: string) => void;
}

function ScopePicker({ tables, onAdd }: ScopePickerProps) {
  const [permission, setPermission] = useState<Permission>("query");
  const [table, setTable] = useState("*");
  return (
    <>
      <span className={styles.labelled}>
        It may
        <Select
          label="It may"
          testId="scope-permission"
          value={permission}
          options={scopePermissions.map((value) => ({ value, label: permissionText[value] }))}
          onChange={(value) => setPermission(value as Permission)}
        />
      </span>
      {takesTable(permission) && (
        <span className={styles.labelled}>
          Table
          <Select
            label="Table of the scope"
            testId="scope-table"
            value={table}
            options={[
              { value: "*", label: "every table" },
              ...tables.map(({ name }) => ({ value: name, label: name })),
            ]}
            onChange={setTable}
          />
        </span>
      )}
      <Button data-testid="add-scope" onClick={() => onAdd(scopeOf(permission, table))}>
        <Plus size={14} /> Add
      </Button>
    </>
  );
}
