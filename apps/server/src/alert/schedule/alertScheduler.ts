import { HadalError } from "@hadal/sdk";
import { alertLeaseMs, endAlertLease, takeAlertLease } from "../../registry/alert/alertLease.js";
import { readRules, removeEvents } from "../../registry/alert/alertRows.js";
import type { Registry } from "../../registry/registry.js";
import type { ChannelSecrets } from "../rule/channelSecrets.js";
import type { FullRule } from "../rule/fullRule.js";
import { commitEvaluations } from "./commitEvaluations.js";
import { dueAt, phaseOf } from "./dueTimes.js";
import { type DueRule, type EvaluationDeps, evaluateRules } from "./evaluateRules.js";
import { behindMs } from "./health.js";
import type { NamedRule } from "./messageOf.js";

export interface SchedulerDeps extends EvaluationDeps {
  readonly registry: Registry;
  /** Of this run of the gateway. */
  readonly holder: string;
  /** All that there are now. */
  rules(): readonly NamedRule[];
  /** Of the channels of a rule that comes from a file. */
  secretsOfFile(ruleId: string): ChannelSecrets;
  /** How late rows of the table are, in ms. */
  lateMs(table: string): number;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly warn: (text: string) => void;
}

/** How far evaluations are behind. */
export interface AlertMetrics {
  readonly isLeader: boolean;
  readonly rules: number;
  readonly evaluations: number;
  /** Of the latest evaluations: from when each was due until its state was written. */
  readonly lagsMs: readonly number[];
  /** Rules that have been due for longer than {@link behindMs}. */
  readonly behind: number;
}

/** The lease is renewed three times before it ends. */
const renewMs = alertLeaseMs / 4;
/** Tables asked about at once: people's queries come first. */
const tablesAtOnce = 2;
/** Rules in one transaction: its lock is held for some tens of milliseconds. */
const rulesAtOnce = 256;
const lagsKept = 1_024;
/** Of the history. */
const keptMs = 90 * 86_400_000;
const pruneEveryMs = 3_600_000;

/** Evaluates rules when they are due, in one gateway at a time. Call {@link run} several times a second. */
export class AlertScheduler {
  readonly #deps: SchedulerDeps;
  /** When the rule was last due and evaluated. */
  readonly #done = new Map<string, number>();
  readonly #phases = new WeakMap<FullRule, number>();
  readonly #busyTables = new Map<string, Promise<void>>();
  #leaderUntil = Number.NEGATIVE_INFINITY;
  #renewAt = Number.NEGATIVE_INFINITY;
  #pruneAt = Number.NEGATIVE_INFINITY;
  #taking: Promise<void> | null = null;
  #lagsMs: number[] = [];
  #evaluations = 0;
  #isClosed = false;
  #wasReported = false;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  get metrics(): AlertMetrics {
    const nowMs = this.#deps.nowMs();
    const rules = this.#deps.rules();
    const behind = this.#isLeader
      ? rules.filter((named) => {
          const at = this.#dueAt(named, nowMs - behindMs);
          return (this.#done.get(keyOf(named)) ?? at) < at;
        }).length
      : 0;
    return {
      ...{ isLeader: this.#isLeader, rules: rules.length, evaluations: this.#evaluations },
      ...{ lagsMs: this.#lagsMs, behind },
    };
  }

  /** Begins what is due now; resolves when that is written. Never rejects. */
  async run(): Promise<void> {
    // Without rules the registry is left alone.
    if (this.#isClosed || this.#deps.rules().length === 0) return;
    await this.#renew();
    if (!this.#isLeader) return;
    await this.#prune();
    const byTable = this.#dueByTable();
    for (const [table, due] of byTable) {
      if (this.#busyTables.size >= tablesAtOnce) break;
      if (this.#busyTables.has(table)) continue;
      const work = this.#evaluate(due).finally(() => this.#busyTables.delete(table));
      this.#busyTables.set(table, work);
    }
    await Promise.all(this.#busyTables.values());
  }

  /** Lets the next gateway take over at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#busyTables.values());
    await this.#taking;
    if (this.#isLeader) await this.#tolerant(() => this.#endLease());
  }

  get #isLeader(): boolean {
    return this.#deps.now() < this.#leaderUntil;
  }

  async #endLease(): Promise<void> {
    this.#leaderUntil = Number.NEGATIVE_INFINITY;
    await endAlertLease(this.#deps.registry, this.#deps.holder);
  }

  async #renew(): Promise<void> {
    const { registry, holder, now } = this.#deps;
    const askedAt = now();
    if (askedAt < this.#renewAt) return;
    this.#renewAt = askedAt + (this.#isLeader ? renewMs : renewMs / 4);
    this.#taking = this.#tolerant(async () => {
      const isHolder = await takeAlertLease(registry, holder);
      this.#leaderUntil = isHolder ? askedAt + alertLeaseMs : Number.NEGATIVE_INFINITY;
      // What was done meanwhile is in the states of the rules.
      if (!isHolder) this.#done.clear();
    });
    await this.#taking;
  }

  async #prune(): Promise<void> {
    const { registry, now, nowMs } = this.#deps;
    if (now() < this.#pruneAt) return;
    this.#pruneAt = now() + pruneEveryMs;
    await this.#tolerant(() =>
      registry.write((transaction) => removeEvents(transaction, nowMs() - keptMs)),
    );
  }

  /** Rules that are due, by table: the one that was due first comes first. */
  #dueByTable(): ReadonlyMap<string, readonly NamedRule[]> {
    const nowMs = this.#deps.nowMs();
    const due = this.#deps
      .rules()
      .map((named) => ({ named, at: this.#dueAt(named, nowMs) }))
      // Not only later ones: the clock may have been put back.
      .filter(({ named, at }) => this.#done.get(keyOf(named)) !== at)
      .sort((a, b) => a.at - b.at);
    const byTable = new Map<string, NamedRule[]>();
    for (const { named } of due) {
      const { table } = named.rule.query;
      const known = byTable.get(table);
      if (known === undefined) byTable.set(table, [named]);
      else if (known.length < rulesAtOnce) known.push(named);
    }
    return byTable;
  }

  #dueAt({ rule }: NamedRule, nowMs: number): number {
    const phase = this.#phases.get(rule) ?? phaseOf(rule);
    this.#phases.set(rule, phase);
    return dueAt(rule, phase, nowMs);
  }

  async #evaluate(named: readonly NamedRule[]): Promise<void> {
    await this.#tolerant(async () => {
      const { registry, holder, nowMs, newId, secretsOfFile } = this.#deps;
      const startedMs = nowMs();
      const due = await this.#dueRules(named, startedMs);
      const evaluated = await evaluateRules(due, this.#deps);
      const writtenMs = nowMs();
      await commitEvaluations(registry, evaluated, {
        ...{ holder, nowMs: writtenMs, newId, secretsOfFile },
      });
      for (const { at } of due) this.#noteLag(writtenMs - at);
      for (const one of named) this.#done.set(keyOf(one), this.#dueAt(one, startedMs));
    });
  }

  async #dueRules(
    named: readonly NamedRule[],
    startedMs: number,
  ): Promise<readonly (DueRule & { readonly at: number })[]> {
    const { registry, warn, lateMs } = this.#deps;
    const ids = named.map(({ id }) => id);
    const kept = await registry.read((database) => readRules(database, ids, warn));
    return named.flatMap((one) => {
      const at = this.#dueAt(one, startedMs);
      const own = kept.get(one.id) ?? newRow(one);
      const { waitMs, query } = one.rule;
      return own === null
        ? []
        : [{ named: one, kept: own, at, endMs: at - (waitMs ?? lateMs(query.table)) }];
    });
  }

  #noteLag(ms: number): void {
    this.#evaluations++;
    this.#lagsMs.push(Math.max(0, ms));
    if (this.#lagsMs.length > 2 * lagsKept) this.#lagsMs = this.#lagsMs.slice(-lagsKept);
  }

  /** What fails is done again in a later round; the log has the first of several failures. */
  async #tolerant(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#wasReported = false;
    } catch (error) {
      if (error instanceof HadalError && error.code === "unavailable") {
        this.#leaderUntil = Number.NEGATIVE_INFINITY;
        return;
      }
      if (!this.#wasReported)
        this.#deps.warn(`alerts: ${error instanceof Error ? error.message : String(error)}`);
      this.#wasReported = true;
    }
  }
}

/** A rule that is saved is evaluated again at once. */
const keyOf = ({ id, version }: NamedRule): string => `${id}/${version}`;

/** Of a rule in a file, which no request has saved; null: its row is damaged. */
const newRow = ({ id, isOfFile }: NamedRule) =>
  isOfFile
    ? {
        ...{ ruleId: id, owner: { kind: "server", id: null } as const },
        ...{ secrets: {}, mutedUntilMs: 0, state: null },
      }
    : null;
