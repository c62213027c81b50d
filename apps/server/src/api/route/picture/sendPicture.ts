import {
  completenessHeader,
  type DocumentImageFormat,
  type ProblemCode,
  printCompletenessLine,
} from "@hadal/sdk";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { PictureRequest } from "../../../picture/pictureOrder.js";
import { clientOfRequester, requesterOf } from "../../context/requester.js";
import type { Answer, Content } from "../../docs/operation.js";
import { cancelOnDisconnect } from "../cancelOnDisconnect.js";
import type { RouteContext } from "../routeContext.js";
import { answerProblems } from "../sendAnswer.js";
import { readerSource } from "./readerSource.js";

const mediaTypes: Readonly<Record<DocumentImageFormat, string>> = {
  svg: "image/svg+xml",
  png: "image/png",
  pdf: "application/pdf",
};

/** A page that shows many charts of mail or chat asks for each once. */
const cacheControl = "private, max-age=10";

/** Opened by itself an SVG is a document of this server: nothing in it may run or load. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Draws with the rights of whoever asks, and sends the file. */
export async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { wanted, format }: { readonly wanted: PictureRequest; readonly format: DocumentImageFormat },
  context: RouteContext,
): Promise<FastifyReply> {
  const { signal } = cancelOnDisconnect(reply);
  const source = readerSource(request, context, signal);
  const client = clientOfRequester(requesterOf(request));
  const bytes = await context.deps.pictures.draw(
    { request: wanted, format },
    { source, client, signal },
  );
  reply.header(completenessHeader, printCompletenessLine(source.completeness()));
  reply.header("cache-control", cacheControl);
  if (format === "svg") reply.header("content-security-policy", svgPolicy);
  return reply.type(mediaTypes[format]).send(Buffer.from(bytes.buffer, 0, bytes.byteLength));
}

/** Of what is drawn, and of drawing itself. */
export const pictureProblems: readonly ProblemCode[] = [
  ...answerProblems,
  "overloaded",
  "unavailable",
];

/** The answer of a route that sends one of these formats. */
export const pictureAnswer = (format: DocumentImageFormat): Answer => ({
  status: 200,
  description: "The picture, with how complete its numbers are written in it.",
  headers: { "X-Hadal-Completeness": { description: "`0.977; rows 3/4; leaves 43/44`" } },
  content: { [mediaTypes[format]]: binary } as Readonly<Record<string, Content>>,
});

const binary: Content = { schema: { type: "string", contentEncoding: "binary" } };
