import type { UserFunction } from "@hadal/sdk";
import styles from "./functions.module.css";
import { functionUrl } from "./functionUrl.js";

export interface FunctionListProps {
  readonly functions: readonly UserFunction[];
  readonly shown: string | null;
}

/** The saved functions, then the examples. */
export function FunctionList({ functions, shown }: FunctionListProps) {
  const own = functions.filter(({ example }) => !example);
  const examples = functions.filter(({ example }) => example);
  return (
    <nav className={styles.list} aria-label="Saved functions" data-testid="function-list">
      {own.length === 0 ? (
        <p className={styles.hint}>No saved functions yet. Start with an example.</p>
      ) : (
        <Group title="Saved" functions={own} shown={shown} />
      )}
      <Group title="Examples" functions={examples} shown={shown} />
    </nav>
  );
}

function Group({ title, functions, shown }: FunctionListProps & { readonly title: string }) {
  return (
    <>
      <h2 className={styles.groupTitle}>{title}</h2>
      <ul className={styles.names}>
        {functions.map(({ name, kind, version, example, description }) => (
          <li key={name}>
            <a
              href={functionUrl(name)}
              aria-current={name === shown ? "page" : undefined}
              title={description ?? name}
            >
              <span className={styles.clip}>{name}</span>
              <span className={styles.note}>
                {kind === "aggregate" ? "over rows" : "per row"}
                {!example && ` · v${version}`}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
