import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { NamedSchemas } from "../jsonSchema.js";

/** Compiles named schemas. Returns a function that validates against one of them by name. */
export function createValidator(schemas: NamedSchemas): (name: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  ajv.addKeyword("components");
  ajv.addSchema({ $id: "https://hadal.dev/api", components: { schemas } });
  return (name) => ajv.compile({ $ref: `https://hadal.dev/api#/components/schemas/${name}` });
}
