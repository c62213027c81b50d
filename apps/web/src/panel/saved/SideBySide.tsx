import type { ReactNode } from "react";
import type { PartDifference, PartEntry } from "../../draft/saved/differences.js";
import styles from "./saved.module.css";

export type Side = "before" | "after";

export interface NamedSide {
  readonly label: string;
  /** Who saved it, and when. */
  readonly note: string;
}

export interface SideBySideProps {
  readonly before: NamedSide;
  readonly after: NamedSide;
  readonly parts: readonly PartDifference[];
}

/** The parts that differ between two forms of something saved, one a line. */
export function SideBySide({ before, after, parts }: SideBySideProps) {
  return (
    <div className={styles.sides}>
      <span className={`${styles.head} ${styles.corner}`} />
      <SideHead side={before} />
      <SideHead side={after} />
      {parts.map((part) => (
        <PartRow key={part.name} part={part} />
      ))}
    </div>
  );
}

function SideHead({ side: { label, note } }: { readonly side: NamedSide }) {
  return (
    <span className={styles.head}>
      {label}
      <small>{note}</small>
    </span>
  );
}

function PartRow({ part: { name, before, after } }: { readonly part: PartDifference }) {
  return (
    <>
      <span className={styles.part}>{name}</span>
      <Entries entries={before} side="before" />
      <Entries entries={after} side="after" />
    </>
  );
}

interface EntriesProps {
  readonly entries: readonly PartEntry[];
  readonly side: Side;
}
function Entries({ entries, side }: EntriesProps) {
  return (
    <span className={styles.entries}>
      {entries.length === 0 && <span className={styles.none}>none</span>}
      {entries.map(({ text, own }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry may come twice, and they do not move
        <span key={`${i} ${text}`} className={styles.entry} data-own={own ? side : undefined}>
          {own ? marked(side, text) : text}
        </span>
      ))}
    </span>
  );
}

/** The element says to screen readers what the colour says. */
export const marked = (side: Side, content: ReactNode): ReactNode =>
  side === "before" ? <del>{content}</del> : <ins>{content}</ins>;
