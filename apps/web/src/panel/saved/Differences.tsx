import { HadalError, type Query } from "@hadal/sdk";
import { Fragment, useMemo } from "react";
import {
  differencesOf,
  type PartDifference,
  type PartEntry,
} from "../../draft/saved/differences.js";
import { lineDifference } from "../../draft/saved/lineDifference.js";
import { type SavedBody, stateOfBody } from "../../draft/saved/savedState.js";
import { printQueryText } from "../../draft/text/queryText.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { marked, type NamedSide, type Side, SideBySide } from "./SideBySide.js";
import styles from "./saved.module.css";

/** One of two forms of a saved query. */
export interface ComparedSide extends NamedSide {
  readonly title: string;
  readonly body: SavedBody;
}

export interface DifferencesProps {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
}

/** What differs between two forms of a query: the parts of the form, then the SQL, side by side. */
export function Differences({ before, after }: DifferencesProps) {
  const parts = useMemo(() => partsThatDiffer(before, after), [before, after]);
  return (
    <div data-testid="differences">
      {parts.length === 0 ? (
        <p className={styles.same}>Nothing differs between these two.</p>
      ) : (
        <SideBySide before={before} after={after} parts={parts} />
      )}
      <h3 className={styles.codeTitle}>SQL</h3>
      <Lines before={textOf(before.body.query)} after={textOf(after.body.query)} />
    </div>
  );
}

function partsThatDiffer(before: ComparedSide, after: ComparedSide): readonly PartDifference[] {
  const at = { timeZone: ownTimeZone(), nowMs: Date.now() };
  const entry = (text: string): PartEntry => ({ text, own: true });
  const title =
    before.title === after.title
      ? []
      : [{ name: "Title", before: [entry(before.title)], after: [entry(after.title)] }];
  const states = [before, after].map(({ body }) => stateOfBody(body, "", at)) as [
    ReturnType<typeof stateOfBody>,
    ReturnType<typeof stateOfBody>,
  ];
  return [...title, ...differencesOf(...states)];
}

interface LinesProps {
  readonly before: string;
  readonly after: string;
}

function Lines({ before, after }: LinesProps) {
  const pairs = useMemo(() => lineDifference(before, after), [before, after]);
  return (
    <div className={styles.lines} data-testid="sql-differences">
      {pairs.map(({ before: left, after: right, same }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line may come twice, and they do not move
        <Fragment key={i}>
          <Line text={left} own={same || left === null ? null : "before"} />
          <Line text={right} own={same || right === null ? null : "after"} />
        </Fragment>
      ))}
    </div>
  );
}

function Line({ text, own }: { readonly text: string | null; readonly own: Side | null }) {
  const sign = own === null ? "" : own === "before" ? "−" : "+";
  return (
    <code className={styles.code} data-own={own ?? undefined}>
      <span className={styles.sign} aria-hidden="true">
        {sign}
      </span>
      {own === null ? text : marked(own, text)}
    </code>
  );
}

/** As SQL; what SQL cannot express, as JSON. */
function textOf(query: Query): string {
  try {
    return printQueryText(query, "sql");
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return printQueryText(query, "json");
  }
}
