import type {
  DocumentDraft,
  DocumentKind,
  DocumentSummary,
  DocumentVersion,
  SavedDocument,
  SavedVersion,
} from "../../model/document.js";
import type { DocumentImage } from "../../model/picture.js";
import { routes } from "../../wire/routes.js";
import type { Http } from "../http.js";
import { jsonRequest, printParameters } from "../requests.js";

/** The version that a change began from: another one is refused with `version-conflict`. */
export interface ChangeOptions {
  readonly version?: number;
}

/** Saved queries, dashboards and the like, with all their versions. */
export interface DocumentsClient {
  /** The last changed first. `text`: part of the title, in any case. */
  list(filter?: {
    readonly kind?: DocumentKind;
    readonly text?: string;
  }): Promise<readonly DocumentSummary[]>;
  find(id: string): Promise<SavedDocument>;
  /** A saved query, a dashboard or one of its tiles as a file, drawn by the server. */
  image(id: string, image?: DocumentImage): Promise<Uint8Array>;
  create(draft: DocumentDraft): Promise<SavedDocument>;
  /** To restore a version, save its title and body. */
  save(id: string, draft: DocumentDraft, options?: ChangeOptions): Promise<SavedDocument>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
  /** The newest first, without bodies. */
  versions(id: string): Promise<readonly DocumentVersion[]>;
  version(id: string, version: number): Promise<SavedVersion>;
}

export function createDocuments(http: Http): DocumentsClient {
  const get = <Reply>(path: string) => http.requestJson(path) as Promise<Reply>;
  const from = ({ version }: ChangeOptions) =>
    version === undefined ? {} : { "if-match": `"${version}"` };
  return {
    async list({ kind, text } = {}) {
      const filter = Object.entries({ kind, q: text }).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(filter as [string, string][]).toString();
      const path = `${routes.documents()}${query === "" ? "" : `?${query}`}`;
      return (await get<{ documents: readonly DocumentSummary[] }>(path)).documents;
    },
    find: (id) => get(routes.document(id)),
    image: (id, { format = "png", ...wanted } = {}) =>
      http.requestBytes(`${routes.documentImage(id, format)}${printParameters(wanted)}`),
    async create(draft) {
      const reply = await http.requestJson(routes.documents(), jsonRequest("POST", draft));
      return reply as SavedDocument;
    },
    async save(id, draft, options = {}) {
      const request = jsonRequest("PUT", draft, from(options));
      return (await http.requestJson(routes.document(id), request)) as SavedDocument;
    },
    async delete(id, options = {}) {
      await http.requestJson(routes.document(id), { method: "DELETE", headers: from(options) });
    },
    async versions(id) {
      const path = routes.documentVersions(id);
      return (await get<{ versions: readonly DocumentVersion[] }>(path)).versions;
    },
    version: (id, version) => get(routes.documentVersion(id, version)),
  };
}
