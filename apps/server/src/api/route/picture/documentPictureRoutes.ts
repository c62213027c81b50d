import { apiBase, type DocumentImageFormat, documentImageFormats } from "@hadal/sdk";
import type { FastifyInstance } from "fastify";
import { noteExport } from "../../context/noteExport.js";
import { documentsSeenBy } from "../../context/readerDocuments.js";
import { idParameter, type Operation, readParameters, type WithId } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";
import { lookOf, sizeParameters, textOf, timeParameters } from "./pictureParameters.js";
import { pictureAnswer, pictureProblems, sendPicture } from "./sendPicture.js";

const boardWidth = 1_280;

const getImage = (format: DocumentImageFormat): Operation => ({
  operationId: `documentImage${format.replace(/^./, (letter) => letter.toUpperCase())}`,
  summary: `A dashboard, a tile or a saved query as ${format.toUpperCase()}`,
  description:
    "Drawn by the server with the rights of whoever asks. Each tile has its error bars and how complete it is; a tile that cannot be answered says why in its place. A single tile that cannot be answered is that problem.",
  tag: "Documents",
  access: "query",
  parameters: [
    idParameter("As `saveDocument` gave it.", "6f1c0d3e-8f0a-4a56-9a43-1f1f5bb0c9ad"),
    {
      ...{ name: "tile", in: "query", description: "Id of one tile of a dashboard, alone." },
      schema: { type: "string", minLength: 1 },
    },
    ...timeParameters,
    ...sizeParameters,
  ],
  answer: pictureAnswer(format),
  problems: ["bad-request", "unknown-document", "registry-unavailable", ...pictureProblems],
});

/** Saved queries and dashboards as files, for mail, chat and reports. */
export function addDocumentPictureRoutes(app: FastifyInstance, context: RouteContext): void {
  const { deps } = context;
  for (const format of documentImageFormats) {
    const operation = getImage(format);
    app.get<WithId>(
      `${apiBase}/documents/:id/image.${format}`,
      { config: { operation } },
      async (request, reply) => {
        const given = readParameters(request.query, operation);
        const look = lookOf(given, { width: boardWidth, nowMs: deps.nowMs() });
        const document = await documentsSeenBy(request.person, deps).find(request.params.id);
        noteExport(request, `${document.title} (image.${format})`, deps);
        const subject = { kind: "document", document, tile: textOf(given, "tile") } as const;
        return sendPicture(request, reply, { wanted: { subject, ...look }, format }, context);
      },
    );
  }
}
