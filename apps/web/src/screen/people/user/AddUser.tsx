import { type Role, roles, type UserDraft } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import { readNames } from "../../../format/nameList.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/people.module.css";
import { roleText } from "./roleText.js";

export interface AddUserProps {
  /** Whether the user was added. */
  readonly onAdd: (draft: UserDraft) => Promise<boolean>;
}

export function AddUser({ onAdd }: AddUserProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [groups, setGroups] = useState("");
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!(await onAdd({ name: name.trim(), role, groups: readNames(groups) }))) return;
    setName("");
    setGroups("");
  };
  return (
    <form className={styles.add} onSubmit={(event) => void submit(event)}>
      <label className={styles.labelled}>
        Name
        <input
          className={styles.input}
          data-testid="user-name"
          value={name}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <span className={styles.labelled}>
        Role
        <Select
          label="Role"
          testId="user-role"
          value={role}
          options={roles.map((value) => ({ value, label: roleText[value] }))}
          onChange={(value) => setRole(value as Role)}
        />
      </span>
      <label className={styles.labelled}>
        Groups
        <input
          className={styles.input}
          data-testid="user-groups"
          placeholder="ops, dev"
          value={groups}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setGroups(event.target.value)}
        />
      </label>
      <Button look="main" type="submit" data-testid="add-user" disabled={name.trim() === ""}>
        Add user
      </Button>
    </form>
  );
}
