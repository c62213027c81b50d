import {
  type AlertChannel,
  type AlertEvent,
  type AlertPreview,
  type AlertRule,
  type AlertStatus,
  alertMessageGroupsMax,
  type DocumentDraft,
  HadalError,
  type Query,
  type Result,
  type SavedDocument,
} from "@hadal/sdk";
import { checkAlertRule } from "@hadal/sdk/checks";
import { lockAlerts } from "../registry/alert/alertLease.js";
import {
  type AlertOwner,
  addEvents,
  type KeptRule,
  listEvents,
  putRule,
  readRules,
} from "../registry/alert/alertRows.js";
import type { RegistryTransaction } from "../registry/database/database.js";
import type { Registry } from "../registry/registry.js";
import { ruleOf } from "./knownRules.js";
import { previewPlan, previewRule } from "./preview/previewRule.js";
import { type ChannelSecrets, splitSecrets, withSecret } from "./rule/channelSecrets.js";
import { fullRule } from "./rule/fullRule.js";
import { stateOf } from "./schedule/commitEvaluations.js";
import { type RuleState, shownState } from "./state/ruleState.js";

/** A rule as its document is to be saved, and what goes with it in the same transaction. */
export interface PreparedRule {
  /** Without secrets. */
  readonly draft: DocumentDraft;
  within(transaction: RegistryTransaction, id: string): Promise<void>;
}

/** Who does something about a rule. */
export interface AlertActor {
  readonly who: string | null;
}

/** Rules, as people see and change them, on any gateway. */
export class AlertService {
  readonly #registry: Registry;
  readonly #nowMs: () => number;
  readonly #secretsOfFile: (id: string) => ChannelSecrets | null;

  /** `secretsOfFile`: of rules that come from files. */
  constructor(
    registry: Registry,
    nowMs: () => number,
    secretsOfFile: (id: string) => ChannelSecrets | null = () => null,
  ) {
    this.#registry = registry;
    this.#nowMs = nowMs;
    this.#secretsOfFile = secretsOfFile;
  }

  /** A channel of a rule as it is reached, with its secret; `channels`: as its document has them. */
  async channel(
    ruleId: string,
    channels: readonly AlertChannel[],
    place: number,
  ): Promise<AlertChannel | null> {
    const channel = channels[place];
    if (channel === undefined) return null;
    const secrets = this.#secretsOfFile(ruleId) ?? (await this.#find(ruleId))?.secrets ?? {};
    return withSecret(channel, place, secrets);
  }

  /** `before`: the document that is saved again; null: it is new. Throws `invalid-query`. */
  async prepare(
    draft: DocumentDraft,
    before: SavedDocument | null,
    owner: AlertOwner,
  ): Promise<PreparedRule> {
    const rule = checkAlertRule(draft.body);
    const known = before === null ? null : await this.#find(before.id);
    const { channels = [] } = (before?.body ?? {}) as Partial<AlertRule>;
    const kept = splitSecrets(rule.channels ?? [], { channels, secrets: known?.secrets ?? {} });
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
  async list(documents: readonly SavedDocument[]): Promise<readonly AlertStatus[]> {
    const ids = documents.map(({ id }) => id);
    const kept = await this.#registry.read((database) =>
      readRules(database, ids, (text) => this.#registry.warn(text)),
    );
    return documents.map((document) => this.#statusOf(document, kept.get(document.id) ?? null));
  }

  async status(document: SavedDocument): Promise<AlertStatus> {
    return this.#statusOf(document, await this.#find(document.id));
  }

  /** Which of these rules have the rights of this person. */
  async ownedBy(
    { kind, id }: { readonly kind: string; readonly id: string | null },
    ruleIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const kept = await this.#registry.read((database) =>
      readRules(database, ruleIds, (text) => this.#registry.warn(text)),
    );
    const own = [...kept.values()].filter(({ owner }) => owner.kind === kind && owner.id === id);
    return new Set(own.map(({ ruleId }) => ruleId));
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
      const open = Object.entries(state?.firings ?? {});
      if (state === null || open.length === 0)
        throw new HadalError("bad-request", { detail: "The rule is not firing." });
      const acknowledgedBy = { who, atMs };
      const firings = Object.fromEntries(open.map(([id, one]) => [id, { ...one, acknowledgedBy }]));
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

  #statusOf(document: SavedDocument, kept: KeptRule | null): AlertStatus {
    const { id, title, version, body } = document;
    const [named] = ruleOf(document, false);
    const state = kept === null ? null : stateOf(kept);
    const mutedUntilMs =
      kept !== null && kept.mutedUntilMs > this.#nowMs() ? kept.mutedUntilMs : null;
    const { query } = body as { readonly query?: { readonly table?: string } };
    const isWrong = named === undefined;
    return {
      ...{ id, title, version, table: query?.table ?? "", mutedUntilMs },
      ...statusOfState(state, mutedUntilMs !== null),
      ...(isWrong && { state: "unknown", reason: "The rule is not valid: save it again." }),
    };
  }
}

type StatusOfState = Omit<AlertStatus, "id" | "title" | "version" | "table" | "mutedUntilMs">;

function statusOfState(state: RuleState | null, isMuted: boolean): StatusOfState {
  if (state === null)
    return {
      ...{ state: isMuted ? "muted" : "ok", since: null, value: null, interval: null },
      ...{ completeness: null, reason: null, evaluatedMs: null, groups: [], groupCount: 0 },
      acknowledged: null,
    };
  const groups = Object.values(state.groups);
  const unknown = state.unknown?.reason ?? groups.find((one) => one.unknown !== null)?.unknown;
  const [acknowledged] = Object.values(state.firings).flatMap(({ acknowledgedBy }) =>
    acknowledgedBy === null ? [] : [acknowledgedBy],
  );
  return {
    ...{ state: shownState(state, isMuted), since: state.sinceMs, value: state.value },
    ...{ interval: state.interval, completeness: state.completeness },
    ...{ reason: unknown ?? null, evaluatedMs: state.evaluatedMs },
    groups: groups
      .filter(({ group }) => group.length > 0)
      .slice(0, alertMessageGroupsMax)
      .map(({ group, value, interval }) => ({ group, value, interval })),
    groupCount: groups.filter(({ group }) => group.length > 0).length,
    acknowledged:
      acknowledged === undefined ? null : { at: acknowledged.atMs, who: acknowledged.who },
  };
}
