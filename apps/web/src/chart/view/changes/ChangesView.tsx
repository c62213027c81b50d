import type { Filter, WhatChanged } from "@hadal/sdk";
import { useMemo } from "react";
import { formatCompact } from "../../../format/number.js";
import { formatRange } from "../../../format/time.js";
import { ProblemPanel } from "../../../ui/page/ProblemPanel.js";
import type { ChartInput } from "../../kit/answer/series.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { ChangeCard } from "./ChangeCard.js";
import styles from "./ChangesView.module.css";
import { changesRequest } from "./changesRequest.js";
import { hiddenText, percent, valueText } from "./changeWords.js";
import { arePairsBest } from "./pairsBest.js";
import { useChanges } from "./useChanges.js";

/** Every column, by how much both sides of the comparison differ in it. */
export function ChangesView({ query, input, part, whatChanged, onIntent }: ViewProps) {
  const request = useMemo(() => changesRequest(query, part), [query, part]);
  const { answer, problem } = useChanges(
    whatChanged,
    request,
    input.result.final ? input.result.asOf : 0,
  );
  const onOnly = (filter: Filter): void =>
    onIntent({ kind: "filter", filters: [filter], exclude: false });
  const onAgain = (): void => onIntent({ kind: "again" });
  if (problem !== null && answer === null) {
    return <ProblemPanel problem={problem} strip={false} onAgain={onAgain} remedy={null} />;
  }
  // Of one side alone nothing differs: that is waited for.
  const hasBoth = answer !== null && answer.a.count > 0 && answer.b.count > 0;
  if (answer === null || (!hasBoth && !answer.final))
    return (
      <p className={styles.first} data-testid="changes" aria-busy="true">
        Counting the values of every column on both sides…
      </p>
    );
  const pairsFirst = arePairsBest(answer);
  return (
    <div
      className={styles.scroll}
      data-testid="changes"
      data-final={answer.final}
      aria-busy={!answer.final}
    >
      {problem !== null && <ProblemPanel problem={problem} strip onAgain={onAgain} remedy={null} />}
      <Summary answer={answer} input={input} part={part} />
      {!hasBoth && (
        <p className={styles.none} data-testid="one-side">
          Side {answer.a.count > 0 ? "B" : "A"} has no rows: there is nothing to hold side{" "}
          {answer.a.count > 0 ? "A" : "B"} against. Choose other times or rows to compare with.
        </p>
      )}
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
            onGroup={(change) => onIntent({ kind: "group over time", column: change })}
          />
        ))}
      </ol>
      {!pairsFirst && <Pairs answer={answer} onOnly={onOnly} />}
      {hasBoth && <Others answer={answer} />}
    </div>
  );
}

interface SummaryProps {
  readonly answer: WhatChanged;
  readonly input: ChartInput;
  readonly part: ViewProps["part"];
}

function Summary({ answer, input, part }: SummaryProps) {
  const { a, b, chance, columnsFound, columns } = answer;
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
          {columnsFound > columns.length ? `, ${columns.length} shown` : ""}; any of these by
          chance: {percent(chance)}
        </span>
      )}
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

/** What is not shown, and why. */
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
