import { HadalError } from "@hadal/sdk";
import { useMemo, useState } from "react";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatClock } from "../../../format/time.js";
import { createPoll } from "../../../live/poll.js";
import { usePoll } from "../../../live/usePoll.js";
import type { Session } from "../../../session/session.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { Section } from "../../../ui/page/Page.js";
import { Strip } from "../../../ui/page/Strip.js";
import styles from "./cluster.module.css";
import { clusterSentences } from "./clusterSentences.js";
import { MachineTable } from "./MachineTable.js";
import { QueryTreeView } from "./QueryTreeView.js";

const refreshMs = 2_000;

/** The machines, what of them is not whole, and the tree of the last query. */
export function ClusterSections({ session }: { readonly session: Session }) {
  const poll = useMemo(() => createPoll(() => session.client.cluster(), refreshMs), [session]);
  const { value, problem } = usePoll(poll);
  const mayDrain = useWhyNot(session, "operate") === null;
  const [refusal, setRefusal] = useState<string | null>(null);
  if (value === null) {
    return (
      <Section title="Machines">
        <Awaited
          problem={problem?.message ?? null}
          title="The machines cannot be loaded"
          onAgain={() => void poll.refresh()}
        />
      </Section>
    );
  }
  const drain = async (machine: string, wanted: boolean): Promise<void> => {
    try {
      await session.client.drain(machine, { drain: wanted });
      setRefusal(null);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setRefusal(error.message);
    }
    await poll.refresh();
  };
  const { machines, tree } = value;
  return (
    <>
      <Section title="Machines">
        {problem !== null && <Strip tone="bad">{problem.message}</Strip>}
        {refusal !== null && (
          <Strip tone="bad" testId="drain-refusal">
            {refusal}
          </Strip>
        )}
        {clusterSentences(value).map(({ text, tone }) => (
          <Strip key={text} tone={tone} testId="cluster-sentence">
            {text}
          </Strip>
        ))}
        <MachineTable
          machines={machines}
          {...(mayDrain && { onDrain: (name, wanted) => void drain(name, wanted) })}
        />
      </Section>
      <Section
        title="The tree of the last query"
        note={tree === null ? undefined : `answered ${formatClock(tree.atMs, ownTimeZone())}`}
      >
        {tree === null ? (
          <p className={styles.quiet}>
            No query has asked leaves since this gateway started. Ask one in{" "}
            <a href="/explore">Explore</a>, and it is drawn here.
          </p>
        ) : (
          <QueryTreeView tree={tree} />
        )}
      </Section>
    </>
  );
}
