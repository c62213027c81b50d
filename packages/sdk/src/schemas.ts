/**
 * Entry `@hadal/sdk/schema`: the JSON Schemas of what travels. Apart from the client, which needs
 * none of them.
 */
export type { JsonSchema, NamedSchemas } from "./schema/jsonSchema.js";
export { ref, standaloneSchema } from "./schema/jsonSchema.js";
export { schemas } from "./schema/schemas.js";
