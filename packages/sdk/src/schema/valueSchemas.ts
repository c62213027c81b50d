import type { JsonSchema } from "./jsonSchema.js";

export const count: JsonSchema = { type: "integer", minimum: 0 };
export const text: JsonSchema = { type: "string" };
export const number: JsonSchema = { type: "number" };
export const integer: JsonSchema = { type: "integer" };
export const share: JsonSchema = { type: "number", minimum: 0, maximum: 1 };
/** A name or an id. */
export const shortText: JsonSchema = { type: "string", minLength: 1, maxLength: 100 };
/** A time as text, or in milliseconds since 1970. */
export const anyTime: JsonSchema = { type: ["string", "number"] };
