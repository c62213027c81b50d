import { HadalError, type Query, type Result, type TimeRange } from "@hadal/sdk";
import type { AlertOwner, KeptRule } from "../../registry/alert/alertRows.js";
import { type Judgement, judge } from "../judge/judge.js";
import { noAnswer, readWindow, type WindowAnswer } from "../judge/windowAnswer.js";
import { looksForGroups } from "../rule/fullRule.js";
import { questionsOf, type RuleQuestions, valueColumn } from "../rule/ruleQueries.js";
import { type Evaluated, stateOf } from "./commitEvaluations.js";
import type { NamedRule } from "./messageOf.js";

/** A query with the rights of someone. */
export interface AlertQuestion {
  readonly query: Query;
  readonly owner: AlertOwner;
}

/** What an evaluation needs of the gateway. */
export interface EvaluationDeps {
  /** All at once, so that they share scans; each with its answer or why there is none. */
  ask(questions: readonly AlertQuestion[]): Promise<readonly (Result | HadalError)[]>;
  /** Event time of the oldest row; null: not known. */
  firstRowMs(table: string): Promise<number | null>;
}

/** A rule that is due, and what is kept of it. */
export interface DueRule {
  readonly named: NamedRule;
  readonly kept: KeptRule;
  /** Late rows from before it are no longer waited for. */
  readonly endMs: number;
}

type Answers = ReadonlyMap<string, Result | HadalError>;

/** Asks what rules of one table have to know, each question once, and judges them. Never rejects for a rule's own fault. */
export async function evaluateRules(
  rules: readonly DueRule[],
  deps: EvaluationDeps,
): Promise<readonly Evaluated[]> {
  const asked = rules.map((due) => ({ due, questions: questionsFor(due) }));
  const wanted = new Map<string, AlertQuestion>();
  for (const { due, questions } of asked) {
    if (questions instanceof HadalError) continue;
    const { owner } = due.kept;
    for (const query of [questions.judged, ...questions.compared])
      wanted.set(keyOf(query, owner), { query, owner });
  }
  const found = await deps.ask([...wanted.values()]);
  const answers: Answers = new Map([...wanted.keys()].map((key, i) => [key, found[i]!]));
  const table = rules[0]?.named.rule.query.table;
  const firstRowMs = table === undefined ? null : await deps.firstRowMs(table);
  return asked.map(({ due, questions }) =>
    questions instanceof HadalError
      ? { ...unasked(due, questions), named: due.named, kept: due.kept }
      : judgeAnswers(due, questions, { answers, firstRowMs }),
  );
}

function questionsFor({ named, endMs }: DueRule): RuleQuestions | HadalError {
  try {
    return questionsOf(named.rule, endMs);
  } catch (error) {
    // Such as a range that has no length on the day when the zone's clock changes.
    if (error instanceof HadalError) return error;
    throw error;
  }
}

function unasked({ endMs }: DueRule, error: HadalError) {
  const judgement: Judgement = { kind: "unknown", reason: error.message, completeness: null };
  return { window: { fromMs: endMs, toMs: endMs }, judgement };
}

const keyOf = (query: Query, owner: AlertOwner): string => JSON.stringify([query, owner]);

interface Known {
  readonly answers: Answers;
  readonly firstRowMs: number | null;
}

function judgeAnswers(
  { named, kept }: DueRule,
  { windows, judged, compared }: RuleQuestions,
  { answers, firstRowMs }: Known,
): Evaluated {
  const { rule } = named;
  const answerOf = (query: Query): WindowAnswer => {
    const answer = answers.get(keyOf(query, kept.owner));
    if (answer === undefined) throw new Error("a question of the rule was not asked");
    if (answer instanceof HadalError) {
      const isBroken = !answer.retry && answer.code !== "cancelled";
      return noAnswer(`${answer.code}: ${answer.message}`, isBroken);
    }
    return readWindow(answer, valueColumn(rule), rule.minCompleteness);
  };
  const groups = Object.values(stateOf(kept)?.groups ?? {});
  const judgement = judge(rule, {
    judged: answerOf(judged),
    compared: compared.map((query, i) => {
      const window = windows.compared[i]!;
      const hasRows = firstRowMs === null || isCovered(window, firstRowMs, looksForGroups(rule));
      // No rows of that time would pass for a count of 0.
      return hasRows ? answerOf(query) : noAnswer("the table has no rows yet");
    }),
    watched: groups.map(({ group }) => group),
  });
  return { named, kept, window: windows.judged, judgement };
}

/** Groups are looked for in whatever there is; numbers are compared with those of a whole window. */
const isCovered = ({ fromMs, toMs }: TimeRange, firstRowMs: number, isPartEnough: boolean) =>
  isPartEnough ? toMs > firstRowMs : fromMs >= firstRowMs;
