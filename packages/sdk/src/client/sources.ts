import type { SourceInfo, SourceSettings } from "../model/ingest/source.js";
import { routes } from "../wire/routes.js";
import type { Http } from "./http.js";
import { jsonRequest } from "./requests.js";

/** Topics of Kafka that the server reads, as admins set them. */
export interface SourcesClient {
  list(): Promise<readonly SourceInfo[]>;
  get(id: string): Promise<SourceInfo>;
  /** Creates it, or replaces its settings. */
  set(id: string, settings: SourceSettings): Promise<SourceInfo>;
  /** Its rows stay. A source of the same id begins where its group has committed. */
  delete(id: string): Promise<void>;
}

export function createSources(http: Http): SourcesClient {
  return {
    async list() {
      const { sources } = (await http.requestJson(routes.sources())) as {
        readonly sources: readonly SourceInfo[];
      };
      return sources;
    },
    async get(id) {
      return (await http.requestJson(routes.source(id))) as SourceInfo;
    },
    async set(id, settings) {
      const request = jsonRequest("PUT", settings);
      return (await http.requestJson(routes.source(id), request)) as SourceInfo;
    },
    async delete(id) {
      await http.request(routes.source(id), { method: "DELETE" });
    },
  };
}
