import { randomUUID } from "node:crypto";
import type { ApiDeps } from "../../api/context/deps.js";
import {
  annotationsSeenBy,
  documentsSeenBy,
  type Reader,
} from "../../api/context/readerDocuments.js";
import { patient } from "../../api/route/picture/readerSource.js";
import type { PictureSource } from "../../picture/pictureOrder.js";
import { AnswerSession } from "../../query/answerSession.js";
import { alertClient } from "./gatewayAlerts.js";

/** Answers for the picture of a rule, with the rights of its owner. */
export function ownerSource(owner: Reader, deps: ApiDeps, signal: AbortSignal): PictureSource {
  const { readable } = owner;
  const session = new AnswerSession(alertClient);
  const options = () => ({ id: randomUUID(), signal, session, readable });
  return {
    ask: (query) => deps.ask(patient(query), options()),
    whatChanged: (asked) => deps.whatChanged(patient(asked), options()),
    columns: async (table) => (await deps.table(table, readable)).columns,
    document: (id) => documentsSeenBy(owner, deps).find(id),
    annotations: (filter) => annotationsSeenBy(owner, filter, deps),
  };
}
