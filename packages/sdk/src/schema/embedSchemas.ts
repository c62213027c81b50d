import { documentTitleMax } from "../model/document.js";
import {
  embedColumnsMax,
  embedExpiresMsMax,
  embedHostsMax,
  embedRangeMsMax,
  embedViewsMax,
} from "../model/embed.js";
import { embedImageFormats, pictureHeight, pictureThemes, pictureWidth } from "../model/picture.js";
import {
  closedObject,
  described,
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "./jsonSchema.js";
import { shortText as id, number, text } from "./valueSchemas.js";

const title: JsonSchema = { type: "string", minLength: 1, maxLength: documentTitleMax };
const views = list(id, {
  ...{ minItems: 1, maxItems: embedViewsMax },
  description: "Ids of views as in the page's address; raw rows need `rows`.",
});
const columns = (description: string) =>
  list(ref("Name"), { maxItems: embedColumnsMax, description });
const hiddenColumns = columns("As if the table did not have them.");
const groupBy = columns(
  "Columns whose values are shown, as groups and in lists; `time`: time buckets.",
);
const rangeMsMax: JsonSchema = {
  ...{ type: "integer", minimum: 1, maximum: embedRangeMsMax },
  description: "Longest time range of a query, in milliseconds.",
};
const hosts = list(text, {
  maxItems: embedHostsMax,
  description:
    "Origins of the pages that may show it: `https://intranet.example`, `https://*.example.com`, `'self'`.",
});
const life: JsonSchema = {
  ...{ type: "integer", minimum: 1, maximum: embedExpiresMsMax },
  description: "Life of a token in milliseconds, at most a day; default an hour.",
};
const query = nullable(described(ref("Query"), "What `/embed/{id}` shows first."));
const mayOpen = nullable({
  type: "boolean",
  description: 'Whether the link "Open in Hadal" is shown; null: where no one signs in.',
});

const scope = {
  ...{ title, table: ref("Name"), views, filter: list(ref("Filter")), hiddenColumns },
  ...{ groupBy, rangeMsMax, frameAncestors: hosts, expiresInMs: life },
  ...{ query, view: nullable(id), mayOpen },
};
const token = { id: text, token: described(text, "Shown here only."), expiresMs: number };
const by = { createdMs: number, createdBy: nullable(text) };

const keyDraft = {
  ...{ "name?": id, "kid?": id, "tables?": nullable(list(ref("Name"))) },
  "frameAncestors?": nullable(hosts),
};

/** Charts that other pages show. */
export const embedSchemas: NamedSchemas = {
  EmbedDraft: closedObject({
    ...{ title, table: ref("Name"), views, rangeMsMax },
    ...{ "filter?": scope.filter, "hiddenColumns?": hiddenColumns, "groupBy?": groupBy },
    ...{ "frameAncestors?": hosts, "expiresInMs?": life, "query?": query },
    ...{ "view?": scope.view, "mayOpen?": mayOpen },
  }),
  EmbedInfo: openObject({
    ...{ id: text, title, scope: openObject(scope), ...by },
    revokedMs: nullable(number),
  }),
  EmbedList: openObject({ embeds: list(ref("EmbedInfo")) }),
  EmbedToken: openObject(token),
  CreatedEmbed: openObject({
    ...token,
    html: described(text, "A `<hadal-chart>` snippet with the token."),
  }),
  EmbedKey: openObject(
    {
      ...{ kty: { const: "OKP" }, crv: { const: "Ed25519" }, x: text, kid: text },
      ...{ alg: { const: "EdDSA" }, use: { const: "sig" } },
      source: { enum: ["server", "host"] },
      name: text,
      tables: nullable(list(text)),
      frameAncestors: nullable(hosts),
      ...by,
      endsMs: nullable(number),
    },
    { description: "A JWK with members of Hadal's own." },
  ),
  EmbedKeyList: openObject({ keys: list(ref("EmbedKey")) }),
  EmbedKeyDraft: {
    description: "An Ed25519 public key, as JWK or in PEM.",
    anyOf: [
      closedObject({
        ...keyDraft,
        jwk: { type: "object" },
      }),
      closedObject({
        ...keyDraft,
        publicKey: text,
      }),
      openObject({ kty: { const: "OKP" }, crv: { const: "Ed25519" }, x: text, "kid?": id }),
    ],
  },
  EmbedImageDraft: closedObject({
    ...{ "query?": described(ref("Query"), "Default: what the embed shows first."), "view?": id },
    ...{ "width?": { type: "integer", ...pictureWidth } },
    ...{ "height?": { type: "integer", ...pictureHeight } },
    ...{ "theme?": { enum: [...pictureThemes] }, "timeZone?": text },
    ...{ "format?": { enum: [...embedImageFormats] }, "expiresInMs?": life },
  }),
  EmbedImageUrl: openObject({ url: text, expiresMs: number }),
  EmbedSelf: openObject({
    id: nullable(text),
    kid: described(text, "Of the key that its token is signed with."),
    ...{ title: text, table: text, views: list(text), groupBy: list(text) },
    ...{ hiddenColumns: list(text), rangeMsMax: number, query: nullable(ref("Query")) },
    ...{ view: nullable(text), expiresMs: number, mayOpen: { type: "boolean" } },
    columns: list(
      openObject({ name: text, type: text, decimals: { type: "integer" }, "unit?": text }),
      { description: "Of the table, without those that are hidden." },
    ),
  }),
};
