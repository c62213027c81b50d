import { randomUUID } from "node:crypto";
import {
  type AlertChannel,
  alertWaitMsMax,
  HadalError,
  type Result,
  type SavedDocument,
} from "@hadal/sdk";
import type { Access } from "../../access/access.js";
import { AlertService } from "../../alert/alertService.js";
import { FileRules } from "../../alert/fileRules.js";
import { KnownRules } from "../../alert/knownRules.js";
import { AlertScheduler } from "../../alert/schedule/alertScheduler.js";
import type { AlertQuestion } from "../../alert/schedule/evaluateRules.js";
import type { ApiDeps } from "../../api/context/deps.js";
import { everything, type Readable } from "../../base/access/readable.js";
import { neverStops } from "../../base/schedule/steps.js";
import type { Canaries } from "../../ingest/canary/canaries.js";
import { AnswerSession } from "../../query/answerSession.js";
import { SharedScans } from "../../query/run/sharedScans.js";
import type { AlertOwner } from "../../registry/alert/alertRows.js";
import type { Registry } from "../../registry/registry.js";
import type { AlertSending } from "./alertDelivery.js";

export interface GatewayAlertsOptions extends AlertSending {
  readonly registry: Registry;
  readonly people: Access;
  readonly canaries: Canaries;
  /** Documents that come from files, by id. */
  readonly files: () => ReadonlyMap<string, SavedDocument>;
  readonly warn: (text: string) => void;
}

type Asking = Pick<ApiDeps, "ask" | "table">;

/** Who asks for rules, where queries wait for their turns: people come first. */
export const alertClient = "alerts";
/** Of a table whose rows were not measured yet. */
const lateMsUnknown = 10_000;
/** Steps of the wait: windows of rules about one table end together. */
const lateSteps = [1_000, 2_000, 5_000, 10_000];

/** Alert rules of a gateway: what people do with them, and their evaluation while it has the lease. */
export class GatewayAlerts {
  readonly service: AlertService;
  readonly rules: KnownRules;
  readonly files: FileRules;
  readonly #options: GatewayAlertsOptions;
  #scheduler: AlertScheduler | null = null;

  private constructor(options: GatewayAlertsOptions, files: FileRules, rules: KnownRules) {
    this.#options = options;
    this.files = files;
    this.rules = rules;
    const { registry, means, linkTo } = options;
    this.service = new AlertService({
      ...{ registry, means, linkTo, nowMs: Date.now, rules: () => rules.all() },
      secretsOfFile: (id) => files.secretsOf(id),
      lateMs: (table) => this.#lateMs(table),
    });
  }

  static async open(options: GatewayAlertsOptions): Promise<GatewayAlerts> {
    const files = new FileRules(options.files);
    const rules = await KnownRules.open(options.registry, () => files.documents());
    return new GatewayAlerts(options, files, rules);
  }

  /** From here on rules are evaluated. */
  start(deps: Asking): void {
    const { registry, warn } = this.#options;
    this.#scheduler = new AlertScheduler({
      ...{ registry, warn, holder: randomUUID(), rules: () => this.rules.all() },
      secretsOfFile: (id) => this.files.secretsOf(id) ?? {},
      lateMs: (table) => this.#lateMs(table),
      ask: (questions) => this.#ask(questions, deps),
      firstRowMs: async (table) => (await tableOf(table, deps))?.fromMs ?? null,
      ...{ nowMs: Date.now, now: () => performance.now(), newId: randomUUID },
    });
  }

  /** As {@link FindChannel} says. */
  async channelOf(ruleId: string, place: number, to: string | null): Promise<AlertChannel | null> {
    const known = this.rules.all().find(({ id }) => id === ruleId);
    if (known === undefined) return null;
    return this.service.channel(ruleId, known.rule.channels, place, to);
  }

  /** The owner of a rule, with what it may read now. */
  async ownerOf(ruleId: string): Promise<AlertOwner & { readonly readable: Readable }> {
    const known = this.rules.all().find(({ id }) => id === ruleId);
    const owner = known?.isOfFile === true ? ownerOfFiles : await this.service.ownerOf(ruleId);
    if (owner === null) throw new HadalError("unknown-document", { id: ruleId });
    return { ...owner, readable: this.#readableBy(owner) };
  }

  /** Begins what is due. Never rejects. */
  async run(): Promise<void> {
    await this.#scheduler?.run();
  }

  async close(): Promise<void> {
    await this.#scheduler?.close();
  }

  /** In Prometheus text. */
  metrics(): string {
    const metrics = this.#scheduler?.metrics;
    if (metrics === undefined) return "";
    const { isLeader, rules, evaluations, lagsMs, behind } = metrics;
    const sorted = [...lagsMs].sort((a, b) => a - b);
    const quantile = (share: number): readonly string[] => {
      const ms = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
      return ms === undefined ? [] : [`hadal_alert_lag_seconds{quantile="${share}"} ${ms / 1_000}`];
    };
    const lines = [
      "# HELP hadal_alert_leader Whether this gateway evaluates the alert rules.",
      "# TYPE hadal_alert_leader gauge",
      `hadal_alert_leader ${Number(isLeader)}`,
      "# HELP hadal_alert_rules Alert rules.",
      "# TYPE hadal_alert_rules gauge",
      `hadal_alert_rules ${rules}`,
      "# HELP hadal_alert_rules_behind Rules that were due more than 5 s ago and are not evaluated.",
      "# TYPE hadal_alert_rules_behind gauge",
      `hadal_alert_rules_behind ${behind}`,
      "# HELP hadal_alert_evaluations_total Evaluations of rules by this gateway.",
      "# TYPE hadal_alert_evaluations_total counter",
      `hadal_alert_evaluations_total ${evaluations}`,
      "# HELP hadal_alert_lag_seconds Time from when a rule was due until its state was written.",
      "# TYPE hadal_alert_lag_seconds gauge",
      ...quantile(0.5),
      ...quantile(0.99),
    ];
    return `${lines.join("\n")}\n`;
  }

  #lateMs(table: string): number {
    return lateMsOf(this.#options.canaries.of(table)?.p99Ms ?? null);
  }

  /** Queries that begin in the same turn share scans. */
  #ask(
    questions: readonly AlertQuestion[],
    deps: Asking,
  ): Promise<readonly (Result | HadalError)[]> {
    const scans = new SharedScans();
    const askOne = async ({ query, owner }: AlertQuestion): Promise<Result | HadalError> => {
      try {
        const readable = this.#readableOf(owner, query.table);
        const session = new AnswerSession(alertClient);
        const options = { id: randomUUID(), signal: neverStops, session, readable, scans };
        return await deps.ask(query, { ...options, pool: "alerts" });
      } catch (error) {
        if (error instanceof HadalError) return error;
        throw error;
      }
    };
    return Promise.all(questions.map(askOne));
  }

  /** What the owner may read now. Throws `forbidden` where that is nothing of the table. */
  #readableOf(owner: AlertOwner, table: string): Readable {
    const readable = this.#readableBy(owner);
    if (readable.of(table) !== null) return readable;
    const detail = `Whoever saved the rule may not read the table ${table} any more.`;
    throw new HadalError("forbidden", { detail });
  }

  /** Throws `forbidden` where the owner is gone. */
  #readableBy({ kind, id }: AlertOwner): Readable {
    if (kind === "server") return everything;
    try {
      return this.#options.people.readableOf({ kind, id });
    } catch (error) {
      if (!(error instanceof HadalError) || error.code !== "unauthenticated") throw error;
      const detail = "The user or the token that saved the rule is gone: save it again.";
      throw new HadalError("forbidden", { detail });
    }
  }
}

/** The operator writes the server's files. */
const ownerOfFiles: AlertOwner = { kind: "server", id: null };

/** How long is waited for late rows: at most 10 s, unless the table's rows are later. */
function lateMsOf(p99Ms: number | null): number {
  if (p99Ms === null) return lateMsUnknown;
  const step = lateSteps.find((ms) => p99Ms <= ms) ?? Math.ceil(p99Ms / 10_000) * 10_000;
  return Math.min(step, alertWaitMsMax);
}

/** Null: there is no such table now. */
async function tableOf(name: string, { table }: Asking) {
  try {
    return await table(name, everything);
  } catch (error) {
    if (error instanceof HadalError) return null;
    throw error;
  }
}
