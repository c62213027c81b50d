import type { ColumnChange, Filter, WhatChanged } from "@hadal/sdk";
import { useContext, useMemo } from "react";
import { formatLack } from "../../../format/lack.js";
import { formatCompact } from "../../../format/number.js";
import { formatRange } from "../../../format/time.js";
import { ProblemPanel } from "../../../ui/page/ProblemPanel.js";
import type { OnIntent } from "../../kit/answer/intent.js";
import type { ChartInput } from "../../kit/answer/series.js";
import { AllowedIntents } from "../../kit/pointer/allowedIntents.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { ChangeCard } from "./ChangeCard.js";
import styles from "./ChangesView.module.css";
import { changesRequest } from "./changesRequest.js";
import { chanceText, hiddenText, percent, valueText } from "./changeWords.js";
import { arePairsBest } from "./pairsBest.js";
import { useChanges } from "./useChanges.js";

/** Columns ranked by how much the two sides of the comparison differ in them. */
export function ChangesView(props: ViewProps) {
  const { query, input, part, whatChanged, onIntent } = props;
  const request = useMemo(() => changesRequest(query, part), [query, part]);
  const { answer, problem } = useChanges(
    whatChanged,
    request,
    input.result.final ? input.result.asOf : 0,
  );
  const onAgain = (): void => onIntent({ kind: "again" });
  if (problem !== null && answer === null) {
    return <ProblemPanel problem={problem} strip={false} onAgain={onAgain} remedy={null} />;
  }
  // The first frames may have rows of one side only: differences need both.
  if (answer === null || (!hasBothSides(answer) && !answer.final))
    return (
      <p className={styles.first} data-testid="changes" aria-busy="true">
        Counting the values of every column on both sides…
      </p>
    );
  return (
    <div
      className={styles.scroll}
      data-testid="changes"
      data-final={answer.final}
      aria-busy={!answer.final}
    >
      {problem !== null && <ProblemPanel problem={problem} strip onAgain={onAgain} remedy={null} />}
      <Summary answer={answer} input={input} part={part} />
      <Lack answer={answer} />
      {!hasBothSides(answer) && (
        <p className={styles.none} data-testid="one-side">
          Side {answer.a.count > 0 ? "B" : "A"} has no rows: there is nothing to compare side{" "}
          {answer.a.count > 0 ? "A" : "B"} with. Choose other times or rows to compare with.
        </p>
      )}
      <Changes answer={answer} onIntent={onIntent} />
    </div>
  );
}

const hasBothSides = ({ a, b }: WhatChanged): boolean => a.count > 0 && b.count > 0;

interface ChangesProps {
  readonly answer: WhatChanged;
  readonly onIntent: OnIntent;
}

function Changes({ answer, onIntent }: ChangesProps) {
  const onOnly = (filter: Filter): void =>
    onIntent({ kind: "filter", filters: [filter], exclude: false });
  const onGroup = (column: ColumnChange): void => onIntent({ kind: "group over time", column });
  const allows = useContext(AllowedIntents);
  const hasBoth = hasBothSides(answer);
  const pairsFirst = arePairsBest(answer);
  return (
    <>
      {pairsFirst && <Pairs answer={answer} onOnly={onOnly} />}
      {hasBoth && answer.columns.length === 0 && answer.final && (
        <p className={styles.none} data-testid="no-changes">
          Nothing differs beyond chance in the {answer.unchanged.length} columns that were looked at
          ({answer.tests} comparisons).
        </p>
      )}
      <ol className={styles.cards}>
        {(hasBoth ? answer.columns : []).map((column, i) => (
          <ChangeCard
            key={column.name}
            rank={i + 1}
            column={column}
            onOnly={onOnly}
            onNot={onOnly}
            onGroup={allows({ kind: "group over time", column }) ? onGroup : null}
          />
        ))}
      </ol>
      {!pairsFirst && <Pairs answer={answer} onOnly={onOnly} />}
      {hasBoth && <Others answer={answer} />}
    </>
  );
}

interface SummaryProps {
  readonly answer: WhatChanged;
  readonly input: ChartInput;
  readonly part: ViewProps["part"];
}

function Summary({ answer, input, part }: SummaryProps) {
  const { a, b, columnsFound, columns } = answer;
  const [names] = input.measures;
  const nameA =
    part === null ? names?.ownName : formatRange(part.fromMs, part.toMs, input.timeZone);
  const nameB = part === null ? names?.baseName : "the rest of the time";
  return (
    <p className={styles.summary}>
      <span>
        <b className={styles.a}>A</b> {nameA}, {formatCompact(a.count)} events
      </span>
      <span>
        <b className={styles.b}>B</b> {nameB}, {formatCompact(b.count)} events
      </span>
      {a.count > 0 && b.count > 0 && (
        <span className={styles.quiet}>
          {answer.final ? "" : "so far: "}
          {columnsFound} {columnsFound === 1 ? "column differs" : "columns differ"}
          {columnsFound > columns.length ? `, ${columns.length} shown` : ""}; {chanceText(answer)}
        </span>
      )}
    </p>
  );
}

/** The counts of the values have a completeness of their own. */
function Lack({ answer }: { readonly answer: WhatChanged }) {
  const lack = answer.final ? formatLack(answer.completeness) : null;
  if (lack === null) return null;
  return (
    <p className={styles.lack} role="status" data-testid="changes-lack">
      {lack}
    </p>
  );
}

interface PairsProps {
  readonly answer: WhatChanged;
  readonly onOnly: (filter: Filter) => void;
}

function Pairs({ answer, onOnly }: PairsProps) {
  const { pairs } = answer;
  if (pairs.length === 0) return null;
  const units = new Map(answer.columns.map(({ name, unit }) => [name, unit]));
  return (
    <section className={styles.pairs} aria-label="Values of two columns together">
      <h3 className={styles.name}>Together</h3>
      <ul>
        {pairs.map((pair) => {
          const text = pair.columns.map((name, i) => {
            const is = pair.is[i];
            return is === undefined ? name : `${name} ${valueText(is, units.get(name))}`;
          });
          return (
            <li key={text.join(" and ")}>
              <button
                type="button"
                className={styles.pair}
                data-testid="change-pair"
                title="Only these"
                onClick={() => onOnly(pair.filter)}
              >
                <code>{text.join(" and ")}</code>
                <span>
                  <b className={styles.a}>{percent(pair.a.share)}</b> of A,{" "}
                  <b className={styles.b}>{percent(pair.b.share)}</b> of B
                </span>
                <span className={styles.quiet}>
                  {percent(pair.purity)} of them are in A; alone{" "}
                  {pair.purityAlone.map(percent).join(" and ")}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Columns without a difference, and columns that are hidden. */
function Others({ answer: { hidden, unchanged } }: { readonly answer: WhatChanged }) {
  return (
    <footer className={styles.others}>
      {unchanged.length > 0 && (
        <details>
          <summary>{unchanged.length} alike on both sides</summary>
          {unchanged.join(", ")}
        </details>
      )}
      {hidden.length > 0 && (
        <details data-testid="changes-hidden">
          <summary>{hidden.length} hidden</summary>
          {hidden.map(hiddenText).join(", ")}
        </details>
      )}
    </footer>
  );
}
