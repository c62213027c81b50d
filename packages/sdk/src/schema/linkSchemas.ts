import { linkPathMax } from "../model/link.js";
import { closedObject, type NamedSchemas, openObject } from "./jsonSchema.js";
import { number, text } from "./valueSchemas.js";

/** Short links. */
export const linkSchemas: NamedSchemas = {
  LinkDraft: closedObject({
    path: { type: "string", maxLength: linkPathMax, examples: ["/explore?v=1&table=visits"] },
  }),
  ShortLink: openObject({ id: text, path: text, savedMs: number }),
};
