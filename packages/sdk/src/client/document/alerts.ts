import type {
  AlertEvent,
  AlertList,
  AlertPreview,
  AlertRule,
  AlertStatus,
  AlertTest,
  AlertTestDraft,
} from "../../model/alert/alert.js";
import { routes } from "../../wire/routes.js";
import type { Http } from "../http.js";
import { jsonRequest, printParameters } from "../requests.js";

export interface AlertHistoryOptions {
  /** Only events before this time, in milliseconds since 1970. */
  readonly before?: number;
  readonly limit?: number;
}

/** Rules that watch queries. They are documents of the kind `alert`: `documents` saves and deletes them. */
export interface AlertsClient {
  list(): Promise<readonly AlertStatus[]>;
  /** The same, and whether they are evaluated in time. */
  overview(): Promise<AlertList>;
  find(id: string): Promise<AlertStatus>;
  /** The newest first. */
  history(id: string, options?: AlertHistoryOptions): Promise<readonly AlertEvent[]>;
  /** When a rule that need not be saved would have fired in the last seven days. */
  preview(rule: AlertRule, options?: { readonly signal?: AbortSignal }): Promise<AlertPreview>;
  /** Sends nothing until then, in milliseconds since 1970; a time that is over ends a mute. */
  mute(id: string, untilMs: number): Promise<AlertStatus>;
  /** Stops the repetitions of what fires now. */
  acknowledge(id: string): Promise<AlertStatus>;
  /** Sends one message that says that it is a test; `channel`: to the one in that place alone. */
  test(id: string, options?: { readonly channel?: number }): Promise<readonly AlertTest[]>;
  /** The same for a rule that need not be saved. */
  testDraft(draft: AlertTestDraft): Promise<readonly AlertTest[]>;
}

export function createAlerts(http: Http): AlertsClient {
  const change = async (path: string, body: object): Promise<AlertStatus> =>
    (await http.requestJson(path, jsonRequest("POST", body))) as AlertStatus;
  const test = async (path: string, body: object): Promise<readonly AlertTest[]> => {
    const answer = await http.requestJson(path, jsonRequest("POST", body));
    return (answer as { readonly tests: readonly AlertTest[] }).tests;
  };
  const overview = async (): Promise<AlertList> =>
    (await http.requestJson(routes.alerts())) as AlertList;
  return {
    overview,
    list: async () => (await overview()).alerts,
    async find(id) {
      return (await http.requestJson(routes.alert(id))) as AlertStatus;
    },
    async history(id, options = {}) {
      const path = `${routes.alert(id)}/history${printParameters({ ...options })}`;
      const { history } = (await http.requestJson(path)) as {
        readonly history: readonly AlertEvent[];
      };
      return history;
    },
    async preview(rule, { signal } = {}) {
      const request = { ...jsonRequest("POST", rule), ...(signal !== undefined && { signal }) };
      return (await http.requestJson(`${routes.alerts()}/preview`, request)) as AlertPreview;
    },
    mute: (id, untilMs) => change(`${routes.alert(id)}/mute`, { untilMs }),
    acknowledge: (id) => change(`${routes.alert(id)}/acknowledge`, {}),
    test: (id, options = {}) => test(`${routes.alert(id)}/test`, options),
    testDraft: (draft) => test(`${routes.alerts()}/test`, draft),
  };
}
