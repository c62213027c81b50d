import { alertStates } from "@hadal/sdk";
import { stateWords } from "../../panel/alert/alertWords.js";
import { Select } from "../../ui/button/Select.js";
import styles from "./alerts.module.css";
import type { ShownStates } from "./searchAlerts.js";

export interface ListToolsProps {
  readonly text: string;
  readonly states: ShownStates;
  readonly onText: (text: string) => void;
  readonly onStates: (states: ShownStates) => void;
}

/** What narrows the list. */
export const ListTools = ({ text, states, onText, onStates }: ListToolsProps) => (
  <>
    <input
      type="search"
      className={styles.search}
      aria-label="Search alerts"
      data-testid="alert-search"
      placeholder="search titles, tables"
      value={text}
      onChange={(event) => onText(event.target.value)}
    />
    <Select
      label="States"
      testId="alert-states"
      value={states}
      options={[
        { value: "all", label: "every state" },
        ...alertStates.map((value) => ({ value, label: stateWords[value] })),
      ]}
      onChange={(next) => onStates(next as ShownStates)}
    />
  </>
);
