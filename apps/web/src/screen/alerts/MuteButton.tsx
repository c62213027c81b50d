import { BellOff } from "lucide-react";
import { durationInWords, printDuration } from "../../format/duration.js";
import { Button } from "../../ui/button/Button.js";
import { PopupButton } from "../../ui/popup/PopupButton.js";
import styles from "./alerts.module.css";

export interface MuteButtonProps {
  readonly label: string;
  /** Why nothing can be muted; null: it can. */
  readonly whyNot: string | null;
  readonly onMute: (untilMs: number) => void;
}

const hourMs = 3_600_000;
const choicesMs = [1, 4, 24, 7 * 24].map((hours) => hours * hourMs);

/** Mutes for a time that is chosen: no mute is without an end. */
export function MuteButton({ label, whyNot, onMute }: MuteButtonProps) {
  if (whyNot !== null) {
    return (
      <Button disabled title={whyNot} data-testid="mute">
        <BellOff size={14} /> {label}
      </Button>
    );
  }
  return (
    <PopupButton label={label} title={label} testId="mute" align="end" icon={<BellOff size={14} />}>
      {(close) => (
        <div className={styles.menu}>
          <MuteChoices
            onMute={(untilMs) => {
              close();
              onMute(untilMs);
            }}
          />
        </div>
      )}
    </PopupButton>
  );
}

/** How long it is muted. */
export const MuteChoices = ({ onMute }: Pick<MuteButtonProps, "onMute">) =>
  choicesMs.map((ms) => (
    <Button key={ms} look="quiet" data-testid="mute-choice" onClick={() => onMute(Date.now() + ms)}>
      for {durationInWords(printDuration(ms))}
    </Button>
  ));
