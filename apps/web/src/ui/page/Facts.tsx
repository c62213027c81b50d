import styles from "./Facts.module.css";

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** The exact value. */
  readonly title?: string | undefined;
  readonly note?: string | undefined;
  readonly tone?: "warn" | undefined;
}

/** The main numbers of a screen, in large type. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, title, note, tone }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>
            <span className={styles.value} title={title} data-tone={tone}>
              {value}
            </span>
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
