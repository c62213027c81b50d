import type { Result } from "@hadal/sdk";
import type { ReactNode } from "react";
import { usePanel } from "../../panel/panel.js";
import { isIncomplete } from "../../panel/status/completeness.js";
import styles from "../style/embed.module.css";
import { footWords } from "./footWords.js";

export interface FootProps {
  /** null: none yet. */
  readonly result: Result | null;
  readonly isBusy: boolean;
  readonly isFailed: boolean;
  /** The reader's steps. */
  readonly children: ReactNode;
}

/** How complete the answer is, always visible. */
export function Foot({ result, isBusy, isFailed, children }: FootProps) {
  const { timeZone } = usePanel();
  const words = result === null ? [] : footWords(result, timeZone);
  // Far out of sight a chart has not asked yet.
  const rest = isBusy ? "asking…" : isFailed ? "no answer" : "";
  const text = words.length > 0 ? words.join(" · ") : rest;
  return (
    <div
      className={styles.foot}
      data-testid="embed-status"
      data-incomplete={result !== null && isIncomplete(result.completeness)}
      data-busy={isBusy}
    >
      <span className={styles.words} title={text}>
        {text}
      </span>
      {children}
    </div>
  );
}
