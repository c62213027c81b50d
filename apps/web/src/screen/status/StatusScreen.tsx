import type { StatusInfo } from "@hadal/sdk";
import { useEffect, useMemo } from "react";
import { formatCompact, formatExact } from "../../format/number.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatClock } from "../../format/time.js";
import { formatBytes } from "../../format/value.js";
import { createPoll } from "../../live/poll.js";
import { rateOf } from "../../live/rateMeter.js";
import { usePoll } from "../../live/usePoll.js";
import { useSamples } from "../../live/useSamples.js";
import type { Session } from "../../session/session.js";
import { useWhyNot } from "../../session/useWhyNot.js";
import { Awaited } from "../../ui/page/Awaited.js";
import { Facts } from "../../ui/page/Facts.js";
import { LinkTabs } from "../../ui/page/LinkTabs.js";
import { Page, Section } from "../../ui/page/Page.js";
import { Strip } from "../../ui/page/Strip.js";
import { ClusterSections } from "./cluster/ClusterSections.js";
import { ledgerSentences } from "./ledgerSentences.js";
import { MemberTable } from "./MemberTable.js";
import { queryCounts, sandboxSentences } from "./querySentences.js";
import { RunningTable } from "./RunningTable.js";
import { SourceTable } from "./SourceTable.js";
import { StageTable } from "./StageTable.js";
import { statusTabs } from "./statusTabs.js";
import { TableLoad } from "./TableLoad.js";

const refreshMs = 2_000;
/** The key for all tables together; no table can have this name. */
const total = "\u0000";

/** The state of the cluster: members, memory, ingest and running queries. */
export function StatusScreen({ session }: { readonly session: Session }) {
  const poll = useMemo(() => createPoll(() => session.client.status(), refreshMs), [session]);
  const { value, problem, atMs } = usePoll(poll);
  const mayCancel = useWhyNot(session, "operate") === null;
  const samples = useSamples(value, atMs, countsOf);
  useEffect(() => {
    document.title = "Status · Hadal";
  }, []);

  if (value === null) {
    return (
      <Awaited
        problem={problem?.message ?? null}
        title="The status cannot be loaded"
        onAgain={() => void poll.refresh()}
      />
    );
  }
  return (
    <Page testId="status-screen" title="Status" note={`as of ${formatClock(atMs, ownTimeZone())}`}>
      <LinkTabs tabs={statusTabs} tab="cluster" />
      {problem !== null && <Strip tone="bad">{problem.message}</Strip>}
      {ledgerSentences(value.ledger).map((sentence) => (
        <Strip key={sentence} tone="warn" testId="ledger-sentence">
          {sentence}
        </Strip>
      ))}
      {sandboxSentences(value.sandbox).map((sentence) => (
        <Strip key={sentence} tone="warn">
          {sentence}
        </Strip>
      ))}
      <Facts facts={factsOf(value, rateOf(samples, total))} />
      <ClusterSections session={session} />
      <Section title="Members">
        <MemberTable members={value.members} />
      </Section>
      <Section title="Queries running" note={queryCounts(value)}>
        <RunningTable
          queries={value.queries}
          mayCancel={mayCancel}
          onCancel={async (id) => {
            await session.client.cancel(id);
            await poll.refresh();
          }}
        />
      </Section>
      <Section title="Rows by stage">
        <StageTable stages={value.ingest.stages ?? []} />
      </Section>
      {value.sources.length > 0 && (
        <Section title="Sources">
          <SourceTable sources={value.sources} />
        </Section>
      )}
      <Section title="Rows by table">
        <TableLoad status={value} rateOf={(name) => rateOf(samples, name)} />
      </Section>
    </Page>
  );
}

function countsOf({ ingest }: StatusInfo): ReadonlyMap<string, number> {
  return new Map([
    [total, ingest.rowsAccepted],
    ...ingest.tables.map(({ name, accepted }): [string, number] => [name, accepted]),
  ]);
}

function factsOf({ members, tables, ingest }: StatusInfo, rate: number | null) {
  const leaves = members.filter(({ role }) => role === "leaf");
  const alive = leaves.filter(({ state }) => state === "alive").length;
  const sum = (numberOf: (leaf: (typeof leaves)[number]) => number): number =>
    leaves.reduce((all, leaf) => all + numberOf(leaf), 0);
  const used = sum(({ memory }) => memory?.storeUsedBytes ?? 0);
  const size = sum(({ memory }) => memory?.storeBytes ?? 0);
  return [
    {
      name: "leaves alive",
      value: `${alive} of ${leaves.length}`,
      tone: alive < leaves.length ? ("warn" as const) : undefined,
    },
    {
      name: "rows stored",
      value: formatCompact(sum(({ rows }) => rows)),
      title: formatExact(sum(({ rows }) => rows)),
      note: `${tables.length} ${tables.length === 1 ? "table" : "tables"}`,
    },
    {
      name: "memory of the store",
      value: formatBytes(used),
      note: size === 0 ? "" : `of ${formatBytes(size)}`,
    },
    {
      name: "rows received",
      value: rate === null ? "…" : `${formatCompact(Math.round(rate))} /s`,
      note: `${formatCompact(ingest.rowsAccepted)} since the start`,
    },
    {
      name: "rows rejected",
      value: formatCompact(ingest.rowsRejected),
      note: `of ${formatCompact(ingest.batches)} batches`,
      tone: ingest.rowsRejected > 0 ? ("warn" as const) : undefined,
    },
  ];
}
