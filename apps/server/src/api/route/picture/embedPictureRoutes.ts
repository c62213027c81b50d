import {
  apiBase,
  type EmbedImage,
  type EmbedImageDraft,
  type EmbedImageFormat,
  type EmbedImageUrl,
  embedExpiresMsMax,
  embedImageFormats,
  HadalError,
  type Query,
} from "@hadal/sdk";
import { checkEmbedImage, checkEmbedImageDraft } from "@hadal/sdk/checks";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type EmbedPass, viewNotAllowed } from "../../../access/embed/embedPass.js";
import type { PictureRequest } from "../../../picture/pictureOrder.js";
import { readJsonBody } from "../../body/jsonBody.js";
import { embedActorOf } from "../../context/requester.js";
import {
  idParameter,
  type Operation,
  type Parameter,
  readParameters,
  type WithId,
} from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";
import { sizeParameters } from "./pictureParameters.js";
import { pictureAnswer, pictureProblems, sendPicture } from "./sendPicture.js";

const widthDefault = 800;
const id = "7a4f9f0e-6c1d-4e0a-9d3a-1f6f1c2b7a90";

const text = (name: string, description: string): Parameter => ({
  ...{ name, in: "query", description, schema: { type: "string", minLength: 1 } },
});

const getImage = (format: EmbedImageFormat): Operation => ({
  operationId: `embedImage${format.replace(/^./, (letter) => letter.toUpperCase())}`,
  summary: `A chart of an embed as ${format.toUpperCase()}`,
  description:
    "For the holder of its token, or by a signed address (`signEmbedImage`). Drawn within what the token allows; error bars and completeness are in the picture.",
  tag: "Embeds",
  access: "query",
  isForEmbeds: true,
  isSigned: true,
  parameters: [
    idParameter("As `createEmbed` gave it; of a host's token the `kid` of its key.", id),
    text("query", "The query as JSON; default: what the embed shows first."),
    text("view", "One of the views of the embed; default: what it shows first."),
    ...sizeParameters,
    text("signature", "In place of a token; whatever else the address says is left out."),
  ],
  answer: pictureAnswer(format),
  problems: ["bad-request", "token-scope", "unknown-embed", ...pictureProblems],
});

const draft: EmbedImageDraft = { view: "timeseries", width: 640, height: 320, format: "png" };
const signed: EmbedImageUrl = {
  url: `https://hadal.example${apiBase}/embeds/${id}/image.png?signature=eyJhbGciOiJFZERTQSJ9.e30.none`,
  expiresMs: 1795340400000,
};

const postUrl: Operation = {
  operationId: "signEmbedImage",
  summary: "An address that shows one picture of an embed",
  description:
    "For mail and chat: whoever has the address sees the picture, as of then, and can ask nothing else. It ends after `expiresInMs`, at most a day, or when the embed is revoked.",
  tag: "Embeds",
  access: "embed",
  parameters: [idParameter("As `createEmbed` gave it.", id)],
  body: { content: { "application/json": { schema: ref("EmbedImageDraft"), example: draft } } },
  answer: {
    status: 201,
    description: "The address.",
    content: { "application/json": { schema: ref("EmbedImageUrl"), example: signed } },
  },
  problems: ["invalid-query", "token-scope", "unknown-embed", "registry-unavailable"],
};

/** Charts of embeds as files. */
export function addEmbedPictureRoutes(app: FastifyInstance, context: RouteContext): void {
  const { deps } = context;
  const path = `${apiBase}/embeds/:id`;
  for (const format of embedImageFormats) {
    const operation = getImage(format);
    app.get<WithId>(
      `${path}/image.${format}`,
      { config: { operation } },
      async (request, reply) => {
        const pass = passOf(request);
        // Mail and pages of others show it in an <img>.
        if (pass.image !== undefined) reply.header("cross-origin-resource-policy", "cross-origin");
        const image = pass.image ?? imageOf(request, operation);
        const wanted = pictureOf(image, pass, deps.nowMs());
        return sendPicture(request, reply, { wanted, format }, context);
      },
    );
  }
  app.post<WithId>(
    `${path}/image-url`,
    { config: { operation: postUrl } },
    async (request, reply) => {
      const {
        format = "png",
        expiresInMs = embedExpiresMsMax,
        ...image
      } = checkEmbedImageDraft(await readJsonBody(request));
      const wanted = { image, expiresInMs };
      const actor = embedActorOf(request);
      const { signature, expiresMs } = await deps.access.embeds.signImage(
        request.params.id,
        wanted,
        actor,
      );
      const { protocol, host } = request.reached;
      const picture = `${apiBase}/embeds/${encodeURIComponent(request.params.id)}/image.${format}`;
      const url = `${protocol}://${host}${picture}?signature=${signature}`;
      return reply.code(201).send({ url, expiresMs });
    },
  );
}

/** The visitor's own pass: for all others there is no such picture. */
function passOf(request: FastifyRequest<WithId>): EmbedPass {
  const { pass } = request.person;
  const { id } = request.params;
  if (pass !== undefined && id === (pass.embedId ?? pass.kid)) return pass;
  throw new HadalError("unknown-embed", { id: id.slice(0, 80) });
}

function imageOf(request: FastifyRequest, operation: Operation): EmbedImage {
  const { query, ...look } = Object.fromEntries(readParameters(request.query, operation));
  return checkEmbedImage({ ...look, ...(query !== undefined && { query: parsed(String(query)) }) });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new HadalError("bad-request", { detail: "`query` is a query as JSON." });
  }
}

function pictureOf(image: EmbedImage, { scope }: EmbedPass, nowMs: number): PictureRequest {
  const query: Query | null = image.query ?? scope.query;
  if (query === null) {
    const detail = "This embed has no query of its own: send one as `query`.";
    throw new HadalError("bad-request", { detail });
  }
  const view = image.view ?? scope.view ?? scope.views[0] ?? null;
  if (view === null || !scope.views.includes(view)) throw viewNotAllowed();
  const { width = widthDefault, height = null, theme = "light", timeZone = null } = image;
  return {
    subject: { kind: "query", title: scope.title, query, view, viewOptions: {} },
    ...{ width, height, theme, timeZone, nowMs, from: null, to: null, bar: null },
    rangeMsMax: scope.rangeMsMax,
  };
}
