import type { ShortLink } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { Operation } from "../docs/operation.js";

const link: ShortLink = {
  id: "fqwyxpj87d",
  path: "/explore?v=1&table=visits&from=-3h&to=now",
  savedMs: 1795254000000,
};
const answer = {
  status: 200,
  description: "`/s/{id}` of this server leads there.",
  content: { "application/json": { schema: ref("ShortLink"), example: link } },
};

export const postLink: Operation = {
  operationId: "saveLink",
  summary: "A short name for an address of the page",
  description: "The same address always gets the same name.",
  tag: "Links",
  body: {
    content: { "application/json": { schema: ref("LinkDraft"), example: { path: link.path } } },
  },
  answer,
  problems: ["invalid-query", "not-saved"],
};

export const getLink: Operation = {
  operationId: "link",
  summary: "The address that a short name stands for",
  tag: "Links",
  parameters: [
    {
      name: "id",
      in: "path",
      description: "As `saveLink` gave it.",
      schema: { type: "string" },
      example: link.id,
    },
  ],
  answer,
  problems: ["unknown-link"],
};
