import type { AlertStatus } from "@hadal/sdk";
import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../session/session.js";
import { useLoaded } from "../../session/useLoaded.js";
import { useWhyNot } from "../../session/useWhyNot.js";
import { Awaited } from "../../ui/page/Awaited.js";
import { Page } from "../../ui/page/Page.js";
import { Panel } from "../../ui/page/Panel.js";
import { Strip } from "../../ui/page/Strip.js";
import { DataTable } from "../../ui/table/DataTable.js";
import { AlertPage } from "./AlertPage.js";
import { alertColumns } from "./alertColumns.js";
import { behindText } from "./behindText.js";
import { ListTools } from "./ListTools.js";
import { MuteButton } from "./MuteButton.js";
import { type ShownStates, searchAlerts } from "./searchAlerts.js";
import { useAlertActions } from "./useAlertActions.js";

export interface AlertsScreenProps {
  readonly session: Session;
  /** The rule that is shown; null: the list. */
  readonly id: string | null;
  /** Of the address: what a message's link asks for. */
  readonly search: string;
  readonly onVisit: (url: string) => void;
}

/** States change while they are looked at. */
const refreshMs = 5_000;

/** All rules with their states, or one of them. */
export function AlertsScreen({ session, id, search, onVisit }: AlertsScreenProps) {
  return id === null ? (
    <AlertList session={session} />
  ) : (
    <AlertPage key={id} {...{ session, id, search, onVisit }} />
  );
}

function AlertList({ session }: { readonly session: Session }) {
  const { alerts } = session.client;
  const { value, problem, load } = useLoaded(useCallback(() => alerts.overview(), [alerts]));
  const actions = useAlertActions(session, load);
  const [text, setText] = useState("");
  const [states, setStates] = useState<ShownStates>("all");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const whyNot = useWhyNot(session, "save");
  useEffect(() => {
    document.title = "Alerts · Hadal";
    const timer = setInterval(() => void load(), refreshMs);
    return () => clearInterval(timer);
  }, [load]);
  if (value === null) {
    return (
      <Awaited problem={problem} title="The alerts cannot be loaded" onAgain={() => void load()} />
    );
  }
  const { alerts: all, health } = value;
  const behind = behindText(health);
  const found = searchAlerts(all, text, states);
  const muted = found.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const onMute = (untilMs: number): void => {
    void actions.mute(muted, untilMs);
    setChosen(new Set());
  };
  return (
    <Page
      testId="alerts-screen"
      title="Alerts"
      note={noteOf(all)}
      actions={
        all.length > 0 && (
          <>
            <ListTools {...{ text, states }} onText={setText} onStates={setStates} />
            <MuteButton
              label={muted.length === 0 ? "Mute" : `Mute ${muted.length}`}
              whyNot={whyNot ?? (muted.length === 0 ? "Choose rules in the list." : null)}
              onMute={onMute}
            />
          </>
        )
      }
    >
      {actions.outcome !== null && (
        <Strip tone={actions.outcome.tone} testId="alerts-outcome">
          {actions.outcome.text}
        </Strip>
      )}
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      {behind !== null && (
        <Strip tone="bad" testId="alerts-behind">
          {behind}
        </Strip>
      )}
      {all.length === 0 ? (
        <NoAlerts />
      ) : (
        <DataTable
          label="Alerts"
          testId="alert-list"
          rowTestId="alert-row"
          columns={alertColumns({ chosen, onChosen: setChosen, mayChange: whyNot === null })}
          rows={found}
          rowKey={({ id }) => id}
          empty="No alert matches."
        />
      )}
    </Page>
  );
}

function noteOf(all: readonly AlertStatus[]): string {
  const count = (state: AlertStatus["state"]): number =>
    all.filter((one) => one.state === state).length;
  const parts = [
    [count("firing"), "firing"],
    [count("unknown"), "cannot tell"],
    [count("muted"), "muted"],
  ] as const;
  const named = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return [`${all.length} in all`, ...named].join(" · ");
}

const NoAlerts = () => (
  <Panel
    tone="quiet"
    testId="empty-panel"
    title="No alerts yet"
    action={<a href="/explore">Go to Explore</a>}
  >
    <p>
      An alert watches a query. Ask a question in Explore, then choose “Alert me” in its Share menu:
      before it is saved you see when it would have fired in the last seven days.
    </p>
  </Panel>
);
