import type { AlertEvent, AlertRule, AlertStatus, SavedDocument } from "@hadal/sdk";
import { checkAlertRule } from "@hadal/sdk/checks";
import { Pencil } from "lucide-react";
import { Suspense, useCallback, useEffect, useState } from "react";
import { formatMeasure } from "../../format/value.js";
import { isOnScale, numbersOf, windowMsOf } from "../../panel/alert/alertForm.js";
import { ruleInWords } from "../../panel/alert/alertWords.js";
import { ReplayChart } from "../../panel/alert/ReplayChart.js";
import { firingsInWords } from "../../panel/alert/replaySeries.js";
import { useReplay } from "../../panel/alert/useReplay.js";
import type { Session } from "../../session/session.js";
import { useLoaded } from "../../session/useLoaded.js";
import { useWhyNot } from "../../session/useWhyNot.js";
import { Button } from "../../ui/button/Button.js";
import { ConfirmButton } from "../../ui/button/ConfirmButton.js";
import { lazyPart } from "../../ui/lazy/lazyPart.js";
import { Ago } from "../../ui/page/Ago.js";
import { Awaited } from "../../ui/page/Awaited.js";
import { Page, Section } from "../../ui/page/Page.js";
import { Strip } from "../../ui/page/Strip.js";
import { undeliveredInWords } from "./alertColumns.js";
import styles from "./alerts.module.css";
import { ChannelList } from "./ChannelList.js";
import { EventTable } from "./EventTable.js";
import { FromMessage } from "./FromMessage.js";
import { MuteButton } from "./MuteButton.js";
import { readAsked } from "./readAsked.js";
import { StateMark } from "./StateMark.js";
import { useAlertActions } from "./useAlertActions.js";

const AlertSheet = lazyPart(
  async () => (await import("../../panel/alert/AlertSheet.js")).AlertSheet,
);

export interface AlertPageProps {
  readonly session: Session;
  readonly id: string;
  /** Of the address: what a message's link asks for. */
  readonly search: string;
  readonly onVisit: (url: string) => void;
}

const refreshMs = 5_000;
/** Older ones are read by programs. */
const eventsMax = 200;

/** One rule: its state, the last seven days, and what has happened. */
export function AlertPage({ session, id, search, onVisit }: AlertPageProps) {
  const { alerts, documents } = session.client;
  const read = useCallback(async () => {
    const [alert, events, saved] = await Promise.all([
      alerts.find(id),
      alerts.history(id, { limit: eventsMax }),
      documents.find(id),
    ]);
    return { alert, events, saved };
  }, [alerts, documents, id]);
  const { value, problem, load } = useLoaded(read);
  const actions = useAlertActions(session, load);
  const [edited, setEdited] = useState<SavedDocument | null>(null);
  const whyNot = useWhyNot(session, "save");
  const title = value?.alert.title ?? "Alert";
  useEffect(() => {
    document.title = `${title} · Alerts · Hadal`;
    const timer = setInterval(() => void load(), refreshMs);
    return () => clearInterval(timer);
  }, [title, load]);
  if (value === null) {
    return (
      <Awaited problem={problem} title="The alert cannot be loaded" onAgain={() => void load()} />
    );
  }
  const { alert, events, saved } = value;
  const rule = checkAlertRule(saved.body);
  const remove = async (): Promise<void> => {
    if (await actions.remove(id, alert.version)) onVisit("/alerts");
  };
  return (
    <Page
      testId="alert-page"
      title={title}
      note={<a href="/alerts">all alerts</a>}
      actions={
        whyNot === null && (
          <>
            {alert.state === "firing" && alert.acknowledged === null && (
              <Button data-testid="acknowledge" onClick={() => void actions.acknowledge(id)}>
                Acknowledge
              </Button>
            )}
            {alert.state === "muted" ? (
              <Button data-testid="unmute" onClick={() => void actions.unmute(id)}>
                End the mute
              </Button>
            ) : (
              <MuteButton
                label="Mute"
                whyNot={null}
                onMute={(untilMs) => void actions.mute([id], untilMs)}
              />
            )}
            <Button data-testid="edit-alert" onClick={() => setEdited(saved)}>
              <Pencil size={14} /> Change
            </Button>
            <ConfirmButton
              label="Delete"
              subject={title}
              question="Delete for everyone"
              onConfirm={() => void remove()}
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
      <FromMessage
        {...{ alert, rule, asked: readAsked(search), mayAct: whyNot === null }}
        onAcknowledge={() => void actions.acknowledge(id)}
        onMute={(untilMs) => void actions.mute([id], untilMs)}
      />
      {alert.undelivered > 0 && (
        <Strip tone="warn" testId="alert-undelivered">
          {undeliveredInWords(alert.undelivered)} in the last 7 days: the history says why, once it
          is given up.
        </Strip>
      )}
      <LastWeek {...{ session, alert, events, rule }} mayTest={whyNot === null} />
      <Suspense>
        {edited !== null && (
          <AlertSheet
            session={session}
            start={{ kind: "rule", document: edited, rule: checkAlertRule(edited.body) }}
            onClose={() => setEdited(null)}
            onSaved={() => {
              setEdited(null);
              void load();
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}

interface LastWeekProps {
  readonly session: Session;
  readonly alert: AlertStatus;
  readonly events: readonly AlertEvent[];
  readonly rule: AlertRule;
  readonly mayTest: boolean;
}

/** With the number's unit, which the answers of the last week have. */
function LastWeek({ session, alert, events, rule, mayTest }: LastWeekProps) {
  const { op, value, aggregate = numbersOf(rule.query)[0] ?? "count" } = rule.condition;
  const windowMs = windowMsOf(rule.query);
  const watched = { query: rule.query, perGroup: rule.perGroup === true, aggregate };
  const replay = useReplay(session.client, watched, rule, windowMs);
  const unit = replay.series?.unit;
  const bound = isOnScale(op) && value !== undefined ? value : null;
  const words = replay.firings === null ? "" : firingsInWords(replay.firings);
  return (
    <>
      <Now {...{ alert, unit }} words={`fires when ${ruleInWords(rule, windowMs, unit)}`} />
      <Section title="The last 7 days, by the rule as it is now" note={replay.problem ?? words}>
        <ReplayChart {...{ replay, windowMs, bound }} onBound={null} />
      </Section>
      <Section title="Where its messages go">
        <ChannelList {...{ session, mayTest, ruleId: alert.id, channels: rule.channels ?? [] }} />
      </Section>
      <Section title="What has happened">
        <EventTable {...{ events, rule, unit }} />
      </Section>
    </>
  );
}

interface NowProps {
  readonly alert: AlertStatus;
  readonly unit: string | undefined;
  readonly words: string;
}

function Now({ alert: { state, since, value, reason }, unit, words }: NowProps) {
  return (
    <div className={styles.now}>
      <StateMark state={state} />
      {since !== null && (
        <span>
          since <Ago ms={since} />
        </span>
      )}
      <span className={styles.number}>{formatMeasure(value, { unit })}</span>
      {reason !== null && <span className={styles.quiet}>{reason}</span>}
      <span className={styles.quiet}>{words}</span>
    </div>
  );
}
