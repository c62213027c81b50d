import { randomUUID } from "node:crypto";
import {
  type AlertEvent,
  type AlertList,
  type AlertPreview,
  type AlertRule,
  type AlertStatus,
  type AlertTest,
  type AlertTestDraft,
  apiBase,
  HadalError,
  type SavedDocument,
} from "@hadal/sdk";
import { checkAlertRule } from "@hadal/sdk/checks";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { readJsonBody } from "../../body/jsonBody.js";
import { alertsSeenBy, findAlert } from "../../context/readerDocuments.js";
import { actorOf, requesterOf } from "../../context/requester.js";
import {
  bindingProblems,
  type Operation,
  type Parameter,
  readParameters,
} from "../../docs/operation.js";
import { cancelOnDisconnect } from "../cancelOnDisconnect.js";
import type { RouteContext } from "../routeContext.js";

const rule: AlertRule = {
  query: {
    ...{ table: "visits", from: "-5m", to: "now" },
    filter: [{ column: "ms", op: ">=", value: 500 }],
    aggregates: [{ fn: "count" }],
  },
  condition: { aggregate: "count", op: "above", value: 100 },
  everyMs: 60_000,
};
const id = "3d0d5f0c-2f6c-4b8e-9a1e-7a2f0d1c5b33";
const status: AlertStatus = {
  ...{ id, title: "Slow visits", version: 1, table: "visits", text: "count is above 100" },
  ...{ state: "firing", recent: [[1795254000000, 130]], undelivered: 0 },
  ...{ since: 1795254000000, value: 130, interval: [128, 132], completeness: 1, reason: null },
  ...{ mutedUntilMs: null, evaluatedMs: 1795254060000, groups: [], groupCount: 0 },
  acknowledged: null,
};
const all: AlertList = { alerts: [status], health: { behind: 0, lagMs: 0, leader: true } };
const event: AlertEvent = { at: 1795254000000, state: "firing", value: 130, firing: "b7f0" };
const tests: readonly AlertTest[] = [{ channel: 0, kind: "webhook", error: "it answered 500" }];
const preview: AlertPreview = {
  ...{ fromMs: 1794649200000, toMs: 1795254000000 },
  firings: [{ fromMs: 1795250000000, toMs: 1795250600000, value: 130 }],
};

const idParameter: Parameter = {
  ...{ name: "id", in: "path", description: "Of the rule's document.", example: id },
  schema: { type: "string" },
};
const json = (name: string, example: unknown) => ({
  content: { "application/json": { schema: ref(name), example } },
});
const statusAnswer = {
  ...{ status: 200, description: "The rule as it is now." },
  ...json("AlertStatus", status),
};

const getAlerts: Operation = {
  operationId: "listAlerts",
  summary: "Alert rules and their states",
  description:
    "Rules are documents of the kind `alert`: `createDocument` saves one. Those about tables that may be read, the last changed first. `health` says whether they are evaluated in time: rules that have been due for more than 5 s, how long the longest of them has been, and whether a gateway evaluates rules now.",
  tag: "Alerts",
  access: "query",
  answer: { status: 200, description: "All of them.", ...json("AlertList", all) },
  problems: ["registry-unavailable"],
};
const getAlert: Operation = {
  operationId: "alert",
  summary: "The state of an alert rule",
  description:
    "`unknown`: it cannot be judged, since less than `minCompleteness` of the rows answered, or the query fails; `reason` says which.",
  tag: "Alerts",
  access: "query",
  parameters: [idParameter],
  answer: statusAnswer,
  problems: ["unknown-document", "registry-unavailable"],
};
const getHistory: Operation = {
  operationId: "alertHistory",
  summary: "What happened to an alert rule",
  description: "The newest first; mutes and acknowledgements have `who`. Kept for 90 days.",
  tag: "Alerts",
  access: "query",
  parameters: [
    idParameter,
    {
      ...{ name: "before", in: "query", description: "Only events before, in ms since 1970." },
      schema: { type: "integer", minimum: 0, maximum: 8.64e15 },
    },
    {
      ...{ name: "limit", in: "query", description: "At most so many.", example: 100 },
      schema: { type: "integer", minimum: 1, maximum: 1_000 },
    },
  ],
  answer: {
    ...{ status: 200, description: "Events." },
    ...json("AlertHistory", { history: [event] }),
  },
  problems: ["bad-request", "unknown-document", "registry-unavailable"],
};
const postMute: Operation = {
  operationId: "muteAlert",
  summary: "Send nothing of a rule for a while",
  description: "It is still evaluated; what fires when the mute ends is sent then.",
  tag: "Alerts",
  access: "save",
  parameters: [idParameter],
  body: json("AlertMute", { untilMs: 1795257600000 }),
  answer: statusAnswer,
  problems: ["bad-request", "unknown-document", "registry-unavailable"],
};
const postAcknowledge: Operation = {
  operationId: "acknowledgeAlert",
  summary: "Stop the repetitions of what fires now",
  tag: "Alerts",
  access: "save",
  parameters: [idParameter],
  answer: statusAnswer,
  problems: ["bad-request", "unknown-document", "registry-unavailable"],
};
const postPreview: Operation = {
  operationId: "previewAlert",
  summary: "When a rule would have fired in the last seven days",
  description:
    "One query with time buckets as long as the window. `heldBack` says why a firing would not have been sent: rows are missing, or the difference lies within its error bars.",
  tag: "Alerts",
  access: "query",
  body: json("AlertRule", rule),
  answer: { status: 200, description: "By time.", ...json("AlertPreview", preview) },
  problems: [...bindingProblems, "too-many-groups", "too-many-buckets", "no-leaves", "overloaded"],
};

const testAnswer = {
  ...{ status: 200, description: "What came of each." },
  ...json("AlertTests", { tests }),
};
const testDescription =
  "One message that says that it is a test goes to each channel, once. `error`: why it did not arrive.";
const postTest: Operation = {
  operationId: "testAlert",
  summary: "Send a test to the channels of a rule",
  description: testDescription,
  tag: "Alerts",
  access: "save",
  parameters: [idParameter],
  body: json("AlertTestOf", { channel: 0 }),
  answer: testAnswer,
  problems: ["bad-request", "unknown-document", "registry-unavailable"],
};
const postTestDraft: Operation = {
  operationId: "testAlertDraft",
  summary: "Send a test to the channels of a rule that is not saved",
  description: testDescription,
  tag: "Alerts",
  access: "save",
  body: json("AlertTestDraft", {
    rule: { ...rule, channels: [{ kind: "webhook", url: "https://hooks.example/hadal" }] },
  }),
  answer: testAnswer,
  problems: ["bad-request", "invalid-query", "unknown-document", "registry-unavailable"],
};

interface WithId {
  readonly Params: { readonly id: string };
}

/** States of alert rules, and what people do about them. */
export function addAlertRoutes(
  app: FastifyInstance,
  { deps, running, sessions }: RouteContext,
): void {
  const path = `${apiBase}/alerts`;
  const find = ({ params, person }: FastifyRequest<WithId>): Promise<SavedDocument> =>
    findAlert(params.id, person, deps);

  app.get(path, { config: { operation: getAlerts } }, async ({ person }) =>
    deps.alerts.list(await alertsSeenBy(person, deps)),
  );
  app.get<WithId>(`${path}/:id`, { config: { operation: getAlert } }, async (request) =>
    deps.alerts.status(await find(request)),
  );
  app.get<WithId>(`${path}/:id/history`, { config: { operation: getHistory } }, async (request) => {
    const given = readParameters(request.query, getHistory);
    const { id: ruleId } = await find(request);
    const before = given.get("before");
    const beforeMs = before === undefined ? null : Number(before);
    const history = await deps.alerts.history(
      ruleId,
      beforeMs,
      Number(given.get("limit") ?? 1_000),
    );
    return { history };
  });
  app.post<WithId>(`${path}/:id/mute`, { config: { operation: postMute } }, async (request) => {
    const untilMs = checkMute(await readJsonBody(request));
    return deps.alerts.mute(await find(request), untilMs, actorOf(request));
  });
  app.post<WithId>(
    `${path}/:id/acknowledge`,
    { config: { operation: postAcknowledge } },
    async (request) => deps.alerts.acknowledge(await find(request), actorOf(request)),
  );
  app.post<WithId>(`${path}/:id/test`, { config: { operation: postTest } }, async (request) => {
    const place = checkPlace(await readJsonBody(request));
    const saved = await find(request);
    const given = { title: saved.title, rule: checkAlertRule(saved.body) };
    return { tests: await deps.alerts.test(given, saved, place) };
  });
  app.post(`${path}/test`, { config: { operation: postTestDraft } }, async (request) => {
    const body = await readJsonBody(request);
    const { title, rule: given, id: of } = checkTestDraft(body);
    const saved = of === null ? null : await findAlert(of, request.person, deps);
    return { tests: await deps.alerts.test({ title, rule: given }, saved, checkPlace(body)) };
  });
  app.post(`${path}/preview`, { config: { operation: postPreview } }, async (request, reply) => {
    const asked = checkAlertRule(await readJsonBody(request));
    const controller = cancelOnDisconnect(reply);
    const requester = requesterOf(request);
    const queryId = randomUUID();
    return deps.alerts.preview(asked, (query) =>
      running.run(queryId, query, { requester, controller }, (signal) =>
        deps.ask(query, {
          ...{ id: queryId, signal, readable: request.person.readable },
          session: sessions.of(undefined, requester),
        }),
      ),
    );
  });
}

function checkMute(body: unknown): number {
  const { untilMs } = (body ?? {}) as { readonly untilMs?: unknown };
  if (typeof untilMs === "number" && Number.isFinite(untilMs) && Math.abs(untilMs) <= 8.64e15)
    return untilMs;
  const detail = "untilMs is a time in milliseconds since 1970.";
  throw new HadalError("bad-request", { detail });
}

/** Null: every channel. */
function checkPlace(body: unknown): number | null {
  const { channel } = (body ?? {}) as { readonly channel?: unknown };
  if (channel === undefined) return null;
  if (typeof channel === "number" && Number.isInteger(channel) && channel >= 0) return channel;
  const detail = "channel is the place of a channel in the rule's list, from 0.";
  throw new HadalError("bad-request", { detail });
}

function checkTestDraft(body: unknown) {
  const {
    title = "a new alert",
    rule: given,
    id: of = null,
  } = (body ?? {}) as Partial<Record<keyof AlertTestDraft, unknown>>;
  if (typeof title === "string" && (of === null || typeof of === "string"))
    return { title, id: of, rule: checkAlertRule(given) };
  throw new HadalError("bad-request", { detail: "title and id are texts." });
}
