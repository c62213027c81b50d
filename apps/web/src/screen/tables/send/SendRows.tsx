import { nameFault } from "@hadal/sdk";
import { Check, Copy } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { formatExact } from "../../../format/number.js";
import { createPoll } from "../../../live/poll.js";
import { usePoll } from "../../../live/usePoll.js";
import type { Session } from "../../../session/session.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/tables.module.css";
import { exploreUrl } from "../base/tableUrls.js";
import { snippetsOf } from "./snippets.js";

export interface SendRowsProps {
  readonly session: Session;
  readonly table: string | null;
}

/** Commands that send rows, and an indicator of arrived rows. */
export function SendRows({ session, table }: SendRowsProps) {
  const [name, setName] = useState(table ?? "events");
  const [kind, setKind] = useState("curl");
  const fault = nameFault(name);
  const snippets = useMemo(() => snippetsOf(location.origin, name, Date.now()), [name]);
  const shown = snippets.find((snippet) => snippet.name === kind) ?? snippets[0];
  return (
    <div className={styles.send}>
      <div className={styles.line}>
        {table === null && (
          <label className={styles.labelled}>
            Table
            <input
              className={styles.input}
              value={name}
              spellCheck={false}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
        )}
        <Select
          label="How rows are sent"
          value={kind}
          options={snippets.map((snippet) => ({ value: snippet.name, label: snippet.name }))}
          onChange={setKind}
        />
        <CopyButton text={shown?.text ?? ""} />
      </div>
      <pre className={styles.snippet} data-testid="snippet">
        {shown?.text}
      </pre>
      {fault === null ? (
        <Arrival key={name} session={session} table={name} />
      ) : (
        <p className={styles.fault}>{fault}</p>
      )}
    </div>
  );
}

const lookEveryMs = 1_000;

interface ArrivalProps {
  readonly session: Session;
  readonly table: string;
}

/** Shows the number of rows that arrived since it was opened. */
function Arrival({ session, table }: ArrivalProps) {
  const poll = useMemo(
    () => createPoll(() => rowsTaken(session, table), lookEveryMs),
    [session, table],
  );
  const { value } = usePoll(poll);
  const [before, setBefore] = useState<number | null>(null);
  useEffect(() => {
    if (value !== null) setBefore((known) => known ?? value);
  }, [value]);
  const arrived = value === null || before === null ? 0 : value - before;
  return (
    <p className={styles.arrival} data-arrived={arrived > 0} data-testid="arrival" role="status">
      {arrived > 0 ? <Check size={16} /> : <i className={styles.waiting} />}
      {arrived > 0
        ? `${formatExact(arrived)} ${arrived === 1 ? "row" : "rows"} arrived`
        : "Waiting for the first row…"}
      {arrived > 0 && <a href={exploreUrl(table)}>Explore {table}</a>}
    </p>
  );
}

async function rowsTaken({ client }: Session, table: string): Promise<number> {
  const { ingest } = await client.status();
  return ingest.tables.find(({ name }) => name === table)?.accepted ?? 0;
}

function CopyButton({ text }: { readonly text: string }) {
  const [outcome, setOutcome] = useState<"copied" | "not allowed" | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      // Browsers allow the clipboard on secure origins only; the text can still be selected.
      setOutcome("not allowed");
    }
  };
  return (
    <Button data-testid="copy-snippet" onClick={() => void copy()} onBlur={() => setOutcome(null)}>
      {outcome === "copied" ? <Check size={14} /> : <Copy size={14} />}
      {outcome ?? "copy"}
    </Button>
  );
}
