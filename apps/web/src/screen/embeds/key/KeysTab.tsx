import { useCallback, useEffect } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../session/session.js";
import { useChange } from "../../../session/useChange.js";
import { useLoaded } from "../../../session/useLoaded.js";
import { ConfirmButton } from "../../../ui/button/ConfirmButton.js";
import { CopyButton } from "../../../ui/button/CopyButton.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { Section } from "../../../ui/page/Page.js";
import { Strip } from "../../../ui/page/Strip.js";
import { DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/embeds.module.css";
import { KeyForm } from "./KeyForm.js";
import { keyColumns } from "./keyColumns.js";
import { signingExample } from "./signingExample.js";

type Embeds = Session["client"]["embeds"];

/** The keys by which tokens are verified, and how a host uses its own. */
export function KeysTab({ session }: { readonly session: Session }) {
  const { embeds } = session.client;
  const { tables } = useStore(session);
  const { me } = useStore(session.who);
  const { value, problem, load } = useLoaded(useCallback(() => embeds.keys(), [embeds]));
  const { outcome, run } = useChange(load);
  const changes = keyChanges(embeds);
  useEffect(() => void session.loadTables(), [session]);
  if (value === null) {
    return (
      <Awaited problem={problem} title="The keys cannot be loaded" onAgain={() => void load()} />
    );
  }
  return (
    <>
      <p className={styles.hint}>
        A host that knows its visitors signs tokens itself, one for each of them. Hadal needs only
        the public key; its tokens never give more than whoever adds the key may read.
      </p>
      <KeyForm tables={tables ?? []} onAdd={(draft) => run(() => changes.add(draft))} />
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="keys-outcome">
          {outcome.text}
        </Strip>
      )}
      <DataTable
        label="Keys"
        testId="embed-keys"
        rowTestId="embed-key"
        columns={keyColumns((key) => void run(() => changes.remove(key)))}
        rows={value}
        rowKey={({ kid }) => kid}
        empty="No keys yet. The server makes its own with the first embed."
      />
      {me?.permissions.includes("admin") === true && (
        <p className={styles.rotate}>
          <ConfirmButton
            label="Replace the server's key"
            subject="by a new one"
            question="Sign with a new key from now on"
            onConfirm={() => void run(changes.replaceOwn)}
          />
        </p>
      )}
      <SigningGuide />
    </>
  );
}

/** The changes of keys, each with the sentence that is shown after it. */
const keyChanges = (embeds: Embeds) => ({
  async add(draft: Parameters<Embeds["addKey"]>[0]): Promise<string> {
    const { kid } = await embeds.addKey(draft);
    return `The key is added. Its tokens name it by the kid ${kid}.`;
  },
  async remove({ kid, name }: { readonly kid: string; readonly name: string }): Promise<string> {
    await embeds.removeKey(kid);
    return `The key of ${name} is removed: within 5 seconds its tokens are refused.`;
  },
  async replaceOwn(): Promise<string> {
    const { kid } = await embeds.rotateKey();
    return `The server signs with ${kid}. Tokens of the key before are valid until they end.`;
  },
});

function SigningGuide() {
  const text = signingExample(location.origin);
  return (
    <Section title="How a host signs" testId="signing-guide">
      <div className={styles.head}>
        <span className={styles.hint}>
          On the host's server, in Node.js. A token ends within a day.
        </span>
        <CopyButton testId="copy-signing" subject="the example" text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key */}
      <pre className={styles.code} tabIndex={0}>
        {text}
      </pre>
    </Section>
  );
}
