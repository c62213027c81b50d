import type { AlertState } from "@hadal/sdk";
import { stateWords } from "../../panel/alert/alertWords.js";
import styles from "./alerts.module.css";

/** A state as a dot and a word: colour alone says nothing to some. */
export const StateMark = ({ state }: { readonly state: AlertState }) => (
  <span className={styles.state} data-state={state} data-testid="alert-state">
    {stateWords[state]}
  </span>
);
