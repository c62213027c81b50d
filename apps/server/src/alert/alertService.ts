import {
  type AlertChannel,
  type AlertEvent,
  type AlertList,
  type AlertPreview,
  type AlertRule,
  type AlertStatus,
  type AlertTest,
  type Annotation,
  type DocumentDraft,
  HadalError,
  type ProblemPart,
  type Query,
  type Result,
  type SavedDocument,
} from "@hadal/sdk";
import { checkAlertRule } from "@hadal/sdk/checks";
import { isAlertLeaseHeld, lockAlerts } from "../registry/alert/alertLease.js";
import {
  type AlertOwner,
  addEvents,
  countUndelivered,
  type KeptRule,
  listEvents,
  putRule,
  readRules,
} from "../registry/alert/alertRows.js";
import type { RegistryTransaction } from "../registry/database/database.js";
import type { Registry } from "../registry/registry.js";
import type { ChannelMeans } from "./channel/channelKind.js";
import { checkChannel, identityOf } from "./channel/channelKinds.js";
import { testError } from "./deliver/sendTest.js";
import { type FiringSearch, findFirings } from "./firings.js";
import { ruleOf } from "./knownRules.js";
import { previewPlan, previewRule } from "./preview/previewRule.js";
import {
  type ChannelSecrets,
  type KeptChannels,
  splitSecrets,
  withSecret,
} from "./rule/channelSecrets.js";
import { fullRule } from "./rule/fullRule.js";
import { stateOf } from "./schedule/commitEvaluations.js";
import { healthOf } from "./schedule/health.js";
import type { NamedRule } from "./schedule/messageOf.js";
import { shownStatus } from "./shownStatus.js";
import { openFirings } from "./state/ruleState.js";

/** A rule as its document is to be saved, and what goes with it in the same transaction. */
export interface PreparedRule {
  /** Without secrets. */
  readonly draft: DocumentDraft;
  within(transaction: RegistryTransaction, id: string): Promise<void>;
}

/** Whoever reads rules. */
export interface AlertReader {
  readonly kind: string;
  readonly id: string | null;
}

/** Who does something about a rule. */
export interface AlertActor {
  readonly who: string | null;
}

export interface AlertServiceOptions {
  readonly registry: Registry;
  readonly nowMs: () => number;
  readonly means: ChannelMeans;
  /** The whole address of a path of the web app. */
  readonly linkTo: (path: string) => string;
  /** All that there are. */
  readonly rules: () => readonly NamedRule[];
  /** How late rows of a table are, in ms. */
  readonly lateMs: (table: string) => number;
  /** Of rules that come from files; null: the rule is in no file. */
  readonly secretsOfFile?: (id: string) => ChannelSecrets | null;
}

/** Of messages that a status counts. */
const undeliveredMs = 7 * 86_400_000;

/** Rules, as people see and change them, on any gateway. */
export class AlertService {
  readonly #options: AlertServiceOptions;
  readonly #registry: Registry;
  readonly #nowMs: () => number;

  constructor(options: AlertServiceOptions) {
    this.#options = options;
    this.#registry = options.registry;
    this.#nowMs = options.nowMs;
  }

  /**
   * A channel of a rule as it is reached, with its secret; `channels`: as its document has them. `to`: which one was
   * meant, wherever it is now; null: whichever has the place.
   */
  async channel(
    ruleId: string,
    channels: readonly AlertChannel[],
    place: number,
    to: string | null = null,
  ): Promise<AlertChannel | null> {
    const secrets = await this.#secretsOf(ruleId);
    const all = channels.map((channel, i) => withSecret(channel, i, secrets));
    const found = to === null ? all[place] : all.find((channel) => identityOf(channel) === to);
    return found ?? null;
  }

  /**
   * `before`: the document that is saved again; null: it is new. Throws `invalid-query`, and `egress-refused` where an
   * address may not be sent to.
   */
  async prepare(
    draft: DocumentDraft,
    before: SavedDocument | null,
    owner: AlertOwner,
  ): Promise<PreparedRule> {
    const rule = checkAlertRule(draft.body);
    const kept = await this.#split(rule, before);
    await checkReached(reached(kept), this.#options.means);
    const body = { ...draft.body, ...(rule.channels && { channels: kept.channels }) };
    return {
      draft: { ...draft, body },
      within: async (transaction, id) => {
        await lockAlerts(transaction, null);
        const now = await this.#kept(transaction, id);
        await putRule(transaction, { ...now, owner, secrets: kept.secrets });
      },
    };
  }

  /** Of documents of the kind `alert`, in their order. */
  async list(documents: readonly SavedDocument[]): Promise<AlertList> {
    const ids = documents.map(({ id }) => id);
    const nowMs = this.#nowMs();
    const [kept, undelivered, leader] = await this.#registry.read((database) =>
      Promise.all([
        readRules(database, ids, (text) => this.#registry.warn(text)),
        countUndelivered(database, ids, nowMs - undeliveredMs),
        isAlertLeaseHeld(this.#registry, database),
      ]),
    );
    const knownOf = (id: string) => ({
      ...{ kept: kept.get(id) ?? null, undelivered: undelivered.get(id) ?? 0 },
    });
    const rules = documents.flatMap((document) => {
      const own = kept.get(document.id);
      const judgedToMs = own === undefined ? null : (stateOf(own)?.judgedToMs ?? null);
      const savedMs = document.changedMs;
      return ruleOf(document, false).map(({ rule }) => ({ rule, savedMs, judgedToMs }));
    });
    const health = healthOf(rules, { nowMs, lateMs: this.#options.lateMs });
    return {
      alerts: documents.map((document) => shownStatus(document, knownOf(document.id), nowMs)),
      health: { ...health, leader },
    };
  }

  async status(document: SavedDocument): Promise<AlertStatus> {
    const {
      alerts: [status],
    } = await this.list([document]);
    if (status === undefined) throw new Error("a document has no status");
    return status;
  }

  /** Whose rights the rule has; null: nothing is kept of it. */
  async ownerOf(ruleId: string): Promise<AlertOwner | null> {
    return (await this.#find(ruleId))?.owner ?? null;
  }

  /** Sends one test to each channel of a rule, or to one; secrets that are masked are those of `before`. */
  async test(
    { title, rule }: { readonly title: string; readonly rule: AlertRule },
    before: SavedDocument | null,
    place: number | null,
  ): Promise<readonly AlertTest[]> {
    const { means, linkTo } = this.#options;
    const channels = reached(await this.#split(rule, before));
    if (place !== null && channels[place] === undefined) {
      const detail = `The rule has ${channels.length} channels: there is none in place ${place}.`;
      throw new HadalError("bad-request", { detail });
    }
    const ruleId = before?.id ?? "";
    const link = linkTo(`/alerts/${ruleId}`);
    const tested = [...channels.entries()].filter(([channel]) => (place ?? channel) === channel);
    return Promise.all(
      tested.map(async ([channel, reachedBy]) => ({
        ...{ channel, kind: reachedBy.kind },
        error: await testError(reachedBy, { ...{ ruleId, title, query: rule.query, link, means } }),
      })),
    );
  }

  /** Which of these rules have the rights of this person. */
  async ownedBy(
    { kind, id }: AlertReader,
    ruleIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const kept = await this.#registry.read((database) =>
      readRules(database, ruleIds, (text) => this.#registry.warn(text)),
    );
    const own = [...kept.values()].filter(({ owner }) => owner.kind === kind && owner.id === id);
    return new Set(own.map(({ ruleId }) => ruleId));
  }

  /** Of the rules about a table; `ownedBy`: only of those that have the rights of this person. */
  async firings(
    table: string,
    { fromMs, toMs }: Pick<FiringSearch, "fromMs" | "toMs">,
    ownedBy: AlertReader | null,
  ): Promise<readonly Annotation[]> {
    const all = this.#options.rules().filter(({ rule }) => rule.query.table === table);
    const ids = all.map(({ id }) => id);
    const owned = ownedBy === null ? null : await this.ownedBy(ownedBy, ids);
    const rules = owned === null ? all : all.filter(({ id }) => owned.has(id));
    return findFirings(this.#registry, rules, { fromMs, toMs, nowMs: this.#nowMs() });
  }

  /** The newest first. */
  history(id: string, beforeMs: number | null, count: number): Promise<readonly AlertEvent[]> {
    return this.#registry.read((database) => listEvents(database, id, { beforeMs, count }));
  }

  /** `untilMs`: of the past: it is muted no longer. */
  async mute(document: SavedDocument, untilMs: number, { who }: AlertActor): Promise<AlertStatus> {
    const at = this.#nowMs();
    const isMuted = untilMs > at;
    await this.#change(document.id, (kept) => ({
      kept: { ...kept, mutedUntilMs: isMuted ? Math.round(untilMs) : 0 },
      event: {
        ...{ at, state: isMuted ? "muted" : "unmuted", value: null, who },
        ...(isMuted && { reason: `until ${new Date(untilMs).toISOString()}` }),
      },
    }));
    return this.status(document);
  }

  /** Repetitions of what fires now end. Throws `bad-request` where nothing does. */
  async acknowledge(document: SavedDocument, { who }: AlertActor): Promise<AlertStatus> {
    const atMs = this.#nowMs();
    await this.#change(document.id, (kept) => {
      const state = stateOf(kept);
      const open = state === null ? [] : openFirings(state);
      if (state === null || open.length === 0)
        throw new HadalError("bad-request", { detail: "The rule is not firing." });
      const acknowledgedBy = { who, atMs };
      const own = open.map(([id, one]) => [id, { ...one, acknowledgedBy }] as const);
      const firings = { ...state.firings, ...Object.fromEntries(own) };
      return {
        kept: { ...kept, state: JSON.stringify({ ...state, firings }) },
        event: { at: atMs, state: "acknowledged", value: state.value, who },
      };
    });
    return this.status(document);
  }

  /** When a rule would have fired in the last seven days; `ask`: with the rights of whoever asks. */
  async preview(rule: AlertRule, ask: (query: Query) => Promise<Result>): Promise<AlertPreview> {
    const full = fullRule(rule);
    const plan = previewPlan(full, this.#nowMs());
    return previewRule(full, plan, await ask(plan.query));
  }

  async #change(
    id: string,
    change: (kept: KeptRule) => { readonly kept: KeptRule; readonly event: AlertEvent },
  ): Promise<void> {
    await this.#registry.write(async (transaction) => {
      await lockAlerts(transaction, null);
      const { kept, event } = change(await this.#kept(transaction, id));
      await putRule(transaction, kept);
      await addEvents(transaction, id, [event]);
    });
  }

  /** Masks of a rule that is saved again stand for the secrets that it has. */
  async #split(rule: AlertRule, before: SavedDocument | null): Promise<KeptChannels> {
    const { channels = [] } = (before?.body ?? {}) as Partial<AlertRule>;
    const secrets = before === null ? {} : await this.#secretsOf(before.id);
    return splitSecrets(rule.channels ?? [], { channels, secrets });
  }

  async #secretsOf(ruleId: string): Promise<ChannelSecrets> {
    const ofFile = this.#options.secretsOfFile?.(ruleId) ?? null;
    return ofFile ?? (await this.#find(ruleId))?.secrets ?? {};
  }

  async #find(id: string): Promise<KeptRule | null> {
    const found = await this.#registry.read((database) =>
      readRules(database, [id], (text) => this.#registry.warn(text)),
    );
    return found.get(id) ?? null;
  }

  /** What is kept of it; of a rule in a file nothing may be yet. */
  async #kept(transaction: RegistryTransaction, id: string): Promise<KeptRule> {
    const found = await readRules(transaction, [id], (text) => this.#registry.warn(text));
    const owner: AlertOwner = { kind: "server", id: null };
    return found.get(id) ?? { ruleId: id, owner, secrets: {}, mutedUntilMs: 0, state: null };
  }
}

const reached = ({ channels, secrets }: KeptChannels): readonly AlertChannel[] =>
  channels.map((channel, place) => withSecret(channel, place, secrets));

/** Throws `egress-refused` with the place of each address that may not be sent to. */
async function checkReached(channels: readonly AlertChannel[], means: ChannelMeans): Promise<void> {
  const checks = await Promise.allSettled(channels.map((channel) => checkChannel(channel, means)));
  const refused = checks.flatMap((check, place) =>
    check.status === "rejected" ? [{ place, error: check.reason as unknown }] : [],
  );
  if (refused.length === 0) return;
  const problems = refused.map(({ place, error }): ProblemPart => {
    if (!(error instanceof HadalError)) throw error;
    return { path: `body.channels[${place}].url`, code: error.code, detail: error.message };
  });
  throw new HadalError("egress-refused", { detail: String(problems[0]?.detail) }, problems);
}
