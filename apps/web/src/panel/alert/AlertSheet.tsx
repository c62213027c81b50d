import {
  type AlertRule,
  type AlertTest,
  type DocumentDraft,
  HadalError,
  type SavedDocument,
} from "@hadal/sdk";
import { useMemo, useState } from "react";
import { amountExample } from "../../format/amount.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { Strip } from "../../ui/page/Strip.js";
import { Sheet } from "../../ui/popup/Sheet.js";
import { AlertFields } from "./AlertFields.js";
import styles from "./alert.module.css";
import {
  type AlertFaults,
  type AlertForm,
  boundOf,
  faultsOfProblem,
  formOfRule,
  formOfState,
  isOnScale,
  numbersOf,
  printBound,
  readAlert,
  type Watched,
  watchedOfRule,
  watchedOfState,
} from "./alertForm.js";
import { ruleInWords } from "./alertWords.js";
import { ReplayChart } from "./ReplayChart.js";
import { firingsInWords } from "./replaySeries.js";
import { type Replay, useReplay } from "./useReplay.js";

/** What the dialog begins with: a query that is looked at, or a saved rule. */
export type AlertStart =
  | { readonly kind: "state"; readonly state: ExploreState; readonly title: string }
  | { readonly kind: "rule"; readonly document: SavedDocument; readonly rule: AlertRule };

export interface AlertSheetProps {
  readonly session: Session;
  readonly start: AlertStart;
  readonly onClose: () => void;
  readonly onSaved: (document: SavedDocument) => void;
}

/** Makes or changes a rule, and shows what it would have done in the last seven days. */
export function AlertSheet({ session, start, onClose, onSaved }: AlertSheetProps) {
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={start.kind === "state" ? "Alert me" : "Change the alert"}
      width={1020}
      testId="alert-sheet"
    >
      <AlertEditor {...{ session, start, onClose, onSaved }} />
    </Sheet>
  );
}

function AlertEditor({ session, start, onClose, onSaved }: AlertSheetProps) {
  const watched = useMemo(
    () => (start.kind === "state" ? watchedOfState(start.state) : watchedOfRule(start.rule)),
    [start],
  );
  const [form, setForm] = useState(() => formOfStart(start));
  const set = (part: Partial<AlertForm>): void => setForm((known) => ({ ...known, ...part }));
  const { query } = watched;
  const of = { query, perGroup: form.perGroup, aggregate: form.aggregate };
  // The unit of the number is known once its values are: until then a bound has none.
  const [unit, setUnit] = useState<string | undefined>(undefined);
  // When it would have fired does not depend on where its messages go.
  const read = readAlert({ ...form, channels: [] }, watched, unit);
  const replay = useReplay(session.client, of, read.ok ? read.rule : null, form.windowMs);
  const known = replay.series?.unit;
  if (known !== unit && replay.series !== null) setUnit(known);
  const saving = useSaving({ session, start, form, watched, unit, onSaved });
  const faults = saving.faults;
  const bound = isOnScale(form.op) ? boundOf(form, unit) : null;
  const shown = bound ?? proposedBound(form, replay);
  return (
    <div className={styles.columns}>
      <AlertFields
        {...{ form, faults }}
        numbers={numbersOf(query)}
        hasGroups={(query.groupBy ?? []).length > 0}
        example={amountExample(unit)}
        onSet={set}
        onTest={saving.test}
      />
      <div className={styles.side}>
        <ReplayChart
          {...{ replay }}
          windowMs={form.windowMs}
          bound={isOnScale(form.op) ? shown : null}
          onBound={(value) => set({ value: printBound(form.op, value, unit) })}
        />
        <ReplayWords {...{ replay, read }} windowMs={form.windowMs} unit={unit} />
        {faults.query !== undefined && (
          <Strip tone="bad" testId="alert-problem">
            {faults.query}
          </Strip>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="main"
            data-testid="save-alert"
            disabled={saving.isSaving}
            onClick={() => void saving.save()}
          >
            {start.kind === "state" ? "Create alert" : "Save"}
          </Button>
        </div>
      </div>
    </div>
  );
}

const formOfStart = (start: AlertStart): AlertForm =>
  start.kind === "state"
    ? formOfState(start.state, start.title)
    : formOfRule(start.document.title, start.rule, undefined);

/** Where the line is until there is a bound: beyond what has been, on the side of the condition. */
function proposedBound({ op }: AlertForm, { series }: Replay): number | null {
  if (series === null || series.lines.length === 0) return null;
  return op === "above" ? series.highest : series.lowest;
}

interface ReplayWordsProps {
  readonly replay: Replay;
  readonly read: ReturnType<typeof readAlert>;
  readonly windowMs: number;
  readonly unit: string | undefined;
}

function ReplayWords({ replay, read, windowMs, unit }: ReplayWordsProps) {
  return (
    <div aria-live="polite">
      {read.ok && (
        <p className={styles.words} data-testid="alert-words">
          Fires when {ruleInWords(read.rule, windowMs, unit)}.
        </p>
      )}
      <p className={styles.quiet} data-testid="replay-words">
        {replayText(replay, read.ok)}
      </p>
    </div>
  );
}

function replayText({ firings, problem }: Replay, isRead: boolean): string {
  if (problem !== null) return problem;
  if (!isRead) return "Drag the line, or give a number, to see when it would have fired.";
  return firings === null ? "Looking at the last 7 days…" : firingsInWords(firings);
}

interface SavingOf {
  readonly session: Session;
  readonly start: AlertStart;
  readonly form: AlertForm;
  readonly watched: Watched;
  readonly unit: string | undefined;
  readonly onSaved: (document: SavedDocument) => void;
}

/** Faults are shown once someone has tried to save, and then while they last. */
function useSaving({ session, start, form, watched, unit, onSaved }: SavingOf) {
  const [tried, setTried] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [refused, setRefused] = useState<{ of: AlertForm; problem: HadalError } | null>(null);
  const read = readAlert(form, watched, unit);
  const ofServer: AlertFaults = refused?.of === form ? faultsOfProblem(refused.problem) : {};
  const faults = tried && !read.ok ? read.faults : ofServer;
  const save = async (): Promise<void> => {
    setTried(true);
    if (!read.ok) return;
    setSaving(true);
    try {
      onSaved(await saveRule(session, start, form.title.trim(), read.rule));
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setRefused({ of: form, problem: error });
    } finally {
      setSaving(false);
    }
  };
  const test = async (channel: number): Promise<AlertTest | undefined> => {
    setTried(true);
    if (!read.ok) throw unreadable();
    const { title } = form;
    const of = start.kind === "rule" ? { id: start.document.id } : {};
    const draft = { ...of, title, rule: read.rule, channel };
    return (await session.client.alerts.testDraft(draft))[0];
  };
  return { faults, isSaving, save, test };
}

const unreadable = (): HadalError =>
  new HadalError("bad-request", { detail: "Some fields of the alert have faults." });

function saveRule(
  { client }: Session,
  start: AlertStart,
  title: string,
  rule: AlertRule,
): Promise<SavedDocument> {
  const draft: DocumentDraft = { kind: "alert", title, body: { ...rule } };
  if (start.kind === "state") return client.documents.create(draft);
  const { id, version } = start.document;
  return client.documents.save(id, draft, { version });
}
