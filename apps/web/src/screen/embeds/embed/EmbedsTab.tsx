import type { EmbedInfo, EmbedToken } from "@hadal/sdk";
import { useCallback, useState } from "react";
import type { Session } from "../../../session/session.js";
import { useChange } from "../../../session/useChange.js";
import { useLoaded } from "../../../session/useLoaded.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { Panel } from "../../../ui/page/Panel.js";
import { Strip } from "../../../ui/page/Strip.js";
import { DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/embeds.module.css";
import { EmbedDetails } from "./EmbedDetails.js";
import { embedColumns } from "./embedColumns.js";
import { NewToken } from "./NewToken.js";
import { searchEmbeds } from "./searchEmbeds.js";

/** The embeds that there are; revoked ones stay for the record. */
export function EmbedsTab({ session }: { readonly session: Session }) {
  const { embeds } = session.client;
  const { value, problem, load } = useLoaded(useCallback(() => embeds.list(), [embeds]));
  const { outcome, run } = useChange(load);
  const [text, setText] = useState("");
  const [opened, setOpened] = useState<EmbedInfo | null>(null);
  const [renewed, setRenewed] = useState<{ embed: EmbedInfo; token: EmbedToken } | null>(null);
  if (value === null) {
    return (
      <Awaited problem={problem} title="The embeds cannot be loaded" onAgain={() => void load()} />
    );
  }
  if (value.length === 0) return <NoEmbeds />;
  const columns = embedColumns({
    onOpen: setOpened,
    onRenew: (embed) =>
      void run(async () => {
        setRenewed({ embed, token: await embeds.token(embed.id) });
        return null;
      }),
    onRevoke: ({ id, title }) =>
      void run(async () => {
        await embeds.revoke(id);
        return `“${title}” is revoked: within 5 seconds no page shows it.`;
      }),
  });
  return (
    <>
      <input
        type="search"
        className={styles.search}
        aria-label="Search embeds"
        data-testid="embed-search"
        placeholder="search titles, tables, people, hosts"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="embeds-outcome">
          {outcome.text}
        </Strip>
      )}
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      <DataTable
        label="Embeds"
        testId="embeds"
        rowTestId="embed"
        columns={columns}
        rows={searchEmbeds(value, text)}
        rowKey={({ id }) => id}
        empty={`No embed matches “${text.trim()}”.`}
      />
      {opened !== null && <EmbedDetails embed={opened} onClose={() => setOpened(null)} />}
      {renewed !== null && (
        <NewToken session={session} {...renewed} onClose={() => setRenewed(null)} />
      )}
    </>
  );
}

function NoEmbeds() {
  return (
    <Panel
      tone="quiet"
      testId="empty-panel"
      title="No embeds yet"
      action={<a href="/explore">Go to Explore</a>}
    >
      <p>
        An embed shows one chart in another page, to visitors without an account, and no more than
        it allows. Ask something in Explore, then press Share and “Embed…”.
      </p>
    </Panel>
  );
}
