import { type Me, type Role, roles, type User, type UserDraft } from "@hadal/sdk";
import { Button } from "../../../ui/button/Button.js";
import { ConfirmButton } from "../../../ui/button/ConfirmButton.js";
import { Select } from "../../../ui/button/Select.js";
import { Ago } from "../../../ui/page/Ago.js";
import type { DataColumn } from "../../../ui/table/DataTable.js";
import styles from "../base/people.module.css";
import { GroupsField } from "./GroupsField.js";

export interface UserColumnsOf {
  readonly me: Me | null;
  readonly onChange: (user: User, change: Partial<UserDraft>) => void;
  readonly onInvite: (user: User) => void;
  readonly onRemove: (user: User) => void;
}

const sourceText = { password: "", oidc: "by provider", header: "by proxy" } as const;

export function userColumns(of: UserColumnsOf): readonly DataColumn<User>[] {
  const { me, onChange } = of;
  return [
    {
      key: "name",
      head: "Name",
      cell: (user) => <UserName user={user} isMe={user.id === me?.id} />,
    },
    {
      key: "role",
      head: "Role",
      cell: (user) => (
        <Select
          label={`Role of ${user.name}`}
          value={user.role}
          options={roles.map((value) => ({ value, label: value }))}
          onChange={(role) => onChange(user, { role: role as Role })}
        />
      ),
    },
    {
      key: "groups",
      head: "Groups",
      cell: (user) => (
        <GroupsField
          key={user.groups.join()}
          user={user}
          onChange={(groups) => onChange(user, { groups })}
        />
      ),
    },
    {
      key: "state",
      head: "State",
      cell: ({ state }) => (
        <span data-state={state} className={styles.state}>
          {state}
        </span>
      ),
    },
    {
      key: "last",
      head: "Last sign-in",
      wideOnly: true,
      cell: ({ lastSignInMs }) =>
        lastSignInMs === null ? (
          <span className={styles.quiet}>never</span>
        ) : (
          <Ago ms={lastSignInMs} />
        ),
    },
    {
      key: "actions",
      head: <span className={styles.hidden}>Actions</span>,
      align: "right",
      cell: (user) => <UserActions user={user} of={of} />,
    },
  ];
}

interface UserNameProps {
  readonly user: User;
  readonly isMe: boolean;
}

function UserName({ user: { name, source }, isMe }: UserNameProps) {
  return (
    <>
      <span className={styles.name} title={name}>
        {name}
      </span>
      {isMe && <span className={styles.tag}>you</span>}
      {sourceText[source] !== "" && <span className={styles.tag}>{sourceText[source]}</span>}
    </>
  );
}

function UserActions({ user, of }: { readonly user: User; readonly of: UserColumnsOf }) {
  const { name, state, source } = user;
  const isDisabled = state === "disabled";
  return (
    <span className={styles.actions}>
      {source === "password" && !isDisabled && (
        <ConfirmButton
          label={state === "invited" ? "New link" : "Reset password"}
          subject={name}
          question="End the password and all sessions"
          onConfirm={() => of.onInvite(user)}
        />
      )}
      <Button
        look="quiet"
        aria-label={`${isDisabled ? "Enable" : "Disable"} ${name}`}
        onClick={() => of.onChange(user, { disabled: !isDisabled })}
      >
        {isDisabled ? "Enable" : "Disable"}
      </Button>
      <ConfirmButton
        label="Remove"
        subject={name}
        question={`Remove ${name}`}
        onConfirm={() => of.onRemove(user)}
      />
    </span>
  );
}
