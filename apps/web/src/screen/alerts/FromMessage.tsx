import type { AlertRule, AlertStatus } from "@hadal/sdk";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant } from "../../format/time.js";
import { Button } from "../../ui/button/Button.js";
import styles from "./alerts.module.css";
import { MuteChoices } from "./MuteButton.js";
import type { AskedByMessage } from "./readAsked.js";
import { chartUrl, whyUrl } from "./whyUrl.js";

export interface FromMessageProps {
  readonly asked: AskedByMessage;
  readonly alert: AlertStatus;
  readonly rule: AlertRule;
  readonly mayAct: boolean;
  readonly onAcknowledge: () => void;
  readonly onMute: (untilMs: number) => void;
}

/** For whoever comes from a message: its window, with fixed times, and what they wanted to do. */
export function FromMessage({
  asked: { atMs, act },
  alert,
  rule,
  mayAct,
  onAcknowledge,
  onMute,
}: FromMessageProps) {
  const isToAcknowledge =
    act === "acknowledge" && alert.state === "firing" && alert.acknowledged === null;
  const isToMute = act === "mute" && alert.state !== "muted";
  if (atMs === null && !isToAcknowledge && !isToMute) return null;
  return (
    <div className={styles.message} data-testid="from-message">
      {atMs !== null && (
        <span>
          The message is about the window until {formatInstant(atMs, ownTimeZone())}:{" "}
          <a href={chartUrl(rule, atMs)}>its chart</a>,{" "}
          <a href={whyUrl(rule, atMs)}>what changed</a>
        </span>
      )}
      {mayAct && isToAcknowledge && (
        <Button look="main" data-testid="message-acknowledge" onClick={onAcknowledge}>
          Acknowledge
        </Button>
      )}
      {mayAct && isToMute && (
        <span className={styles.row}>
          Mute it <MuteChoices onMute={onMute} />
        </span>
      )}
    </div>
  );
}
