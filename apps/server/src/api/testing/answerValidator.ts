import type { JsonSchema, NamedSchemas } from "@hadal/sdk/schema";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Validators of schemas. An answer that no schema describes is refused. */
export function createSchemaValidator(
  schemas: NamedSchemas,
): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  ajv.addKeyword("components");
  ajv.addSchema({ $id: "https://hadal.dev/api", components: { schemas: closeObjects(schemas) } });
  return (schema) => ajv.compile(absoluteRefs(closeObjects(schema)));
}

/** Every object that lists its properties has these only. Parts of an `allOf` share an object: they stay open. */
function closeObjects<Part>(part: Part): Part {
  return mapObjects(part, (object) => {
    const isOpen = object.properties !== undefined && object.additionalProperties === undefined;
    if (object.allOf !== undefined || !isOpen) return object;
    return { ...object, additionalProperties: false };
  });
}

function absoluteRefs(schema: JsonSchema): JsonSchema {
  return mapObjects(schema, (object) =>
    typeof object.$ref === "string"
      ? { ...object, $ref: `https://hadal.dev/api${object.$ref}` }
      : object,
  );
}

type SchemaObject = Readonly<Record<string, unknown>>;

function mapObjects<Part>(part: Part, change: (object: SchemaObject) => SchemaObject): Part {
  if (Array.isArray(part)) return part.map((item) => mapObjects(item, change)) as Part;
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).map(([key, value]) => [key, mapObjects(value, change)]);
  return change(Object.fromEntries(entries)) as Part;
}
