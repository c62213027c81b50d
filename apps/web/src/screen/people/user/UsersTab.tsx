import type { InvitedUser, User, UserDraft } from "@hadal/sdk";
import { useCallback, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../session/session.js";
import { useChange } from "../../../session/useChange.js";
import { useLoaded } from "../../../session/useLoaded.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { ShownOnce } from "../../../ui/page/ShownOnce.js";
import { Strip } from "../../../ui/page/Strip.js";
import { DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/people.module.css";
import { AddUser } from "./AddUser.js";
import { userColumns } from "./userColumns.js";

/** Users: who they are, what their role is, and new ones by a setup link. */
export function UsersTab({ session }: { readonly session: Session }) {
  const { me } = useStore(session.who);
  const { value, problem, load, outcome, invited, forgetInvited, actions } = useUsers(session);
  if (value === null) {
    return (
      <Awaited problem={problem} title="The users cannot be loaded" onAgain={() => void load()} />
    );
  }
  return (
    <>
      {me?.auth === "none" && <NotYetStrip />}
      <AddUser onAdd={actions.onAdd} />
      {invited !== null && (
        <ShownOnce
          title={`Setup link of ${invited.name}`}
          note="Send it to them: they choose a password there. It works once, and is not shown again."
          text={new URL(invited.setup, location.origin).href}
          onClose={forgetInvited}
        />
      )}
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="people-outcome">
          {outcome.text}
        </Strip>
      )}
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      <div className={styles.list}>
        <DataTable
          label="Users"
          testId="users"
          rowTestId="user"
          columns={userColumns({ me, ...actions })}
          rows={value}
          rowKey={({ id }) => id}
          empty="No users yet. Add the first one above: an admin, so that someone can add the others."
        />
      </div>
    </>
  );
}

/** The users, what can be done with them, and what the last action did. */
function useUsers({ client: { users } }: Session) {
  const { value, problem, load } = useLoaded(useCallback(() => users.list(), [users]));
  const { outcome, run } = useChange(load);
  const [invited, setInvited] = useState<InvitedUser | null>(null);
  const invite = async (user: Promise<InvitedUser>): Promise<null> => {
    setInvited(await user);
    return null;
  };
  const actions = {
    onAdd: (draft: UserDraft) => run(() => invite(users.create(draft))),
    onChange: (user: User, change: Partial<UserDraft>) => {
      const draft = { ...draftOf(user), ...change };
      void run(async () => {
        await users.change(user.id, draft);
        return `${draft.name} is changed.`;
      });
    },
    onInvite: ({ id }: User) => void run(() => invite(users.invite(id))),
    onRemove: ({ id, name }: User) =>
      void run(async () => {
        await users.delete(id);
        return `${name} is removed.`;
      }),
  };
  return { value, problem, load, outcome, invited, forgetInvited: () => setInvited(null), actions };
}

const draftOf = ({ name, role, groups, state }: User): UserDraft => ({
  ...{ name, role, groups, disabled: state === "disabled" },
});

const NotYetStrip = () => (
  <Strip tone="warn">
    No one signs in at this server (<code>--auth none</code>): users count once it runs with{" "}
    <code>--auth users</code>. Tokens are checked already.
  </Strip>
);
