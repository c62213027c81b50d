import type { KeyboardEvent } from "react";
import type { QueryLanguage } from "../../../draft/text/queryText.js";
import styles from "../part/form.module.css";

const tabs: readonly { readonly language: QueryLanguage | null; readonly label: string }[] = [
  { language: null, label: "Form" },
  { language: "sql", label: "SQL" },
  { language: "json", label: "JSON" },
];

export interface LanguageTabsProps {
  /** null: the form. */
  readonly language: QueryLanguage | null;
  readonly onChange: (language: QueryLanguage | null) => void;
}

/** Tabs: the same query as form, SQL or JSON. */
export function LanguageTabs({ language, onChange }: LanguageTabsProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.language === language);
    const next = (at + step + tabs.length) % tabs.length;
    onChange(tabs[next]?.language ?? null);
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]");
    buttons[next]?.focus();
  };
  return (
    <div
      role="tablist"
      aria-label="Query as"
      tabIndex={-1}
      className={styles.tabs}
      onKeyDown={onKeyDown}
    >
      {tabs.map((tab) => (
        <button
          key={tab.label}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={tab.language === language}
          tabIndex={tab.language === language ? 0 : -1}
          data-testid={`tab-${tab.language ?? "form"}`}
          onClick={() => onChange(tab.language)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
