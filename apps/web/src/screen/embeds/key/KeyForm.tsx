import type { EmbedKeyDraft, TableInfo } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { SelectField } from "../../../ui/field/SelectField.js";
import { AreaField, TextField } from "../../../ui/field/TextField.js";
import styles from "../base/embeds.module.css";
import { readKey } from "./readKey.js";

export interface KeyFormProps {
  readonly tables: readonly TableInfo[];
  /** Whether the key was added. */
  readonly onAdd: (draft: EmbedKeyDraft) => Promise<boolean>;
}

/** Stands for every table. */
const everyTable = "*";

/** Adds a host's public key. */
export function KeyForm({ tables, onAdd }: KeyFormProps) {
  const [name, setName] = useState("");
  const [table, setTable] = useState(everyTable);
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = readKey(text);
    setFault(read.ok ? undefined : read.reason);
    if (!read.ok) return;
    const ofTable = table === everyTable ? {} : { tables: [table] };
    if (!(await onAdd({ ...read.key, name: name.trim(), ...ofTable }))) return;
    setName("");
    setText("");
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextField
        label="Name of the host"
        testId="key-name"
        value={name}
        example="customer portal"
        fault={undefined}
        onChange={setName}
      />
      <SelectField
        label="Its tokens are for"
        testId="key-table"
        value={table}
        options={[
          { value: everyTable, label: "every table that you may embed" },
          ...tables.map((one) => ({ value: one.name, label: one.name })),
        ]}
        fault={undefined}
        onChange={setTable}
      />
      <AreaField
        label="Public key (Ed25519), as JWK or PEM"
        testId="key-text"
        rows={5}
        value={text}
        spellCheck={false}
        example={'{"kty":"OKP","crv":"Ed25519","x":"…"}'}
        fault={fault}
        onChange={(next) => {
          setText(next);
          setFault(undefined);
        }}
      />
      <div>
        <Button look="main" type="submit" data-testid="add-key" disabled={name.trim() === ""}>
          Add key
        </Button>
      </div>
    </form>
  );
}
