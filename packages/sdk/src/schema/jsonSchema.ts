/** A JSON Schema of dialect 2020-12, as in OpenAPI 3.1. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

const componentsPath = "#/components/schemas/";

/** A reference to a named schema of the OpenAPI document. */
export function ref(name: string, description?: string): JsonSchema {
  const $ref = componentsPath + name;
  return description === undefined ? { $ref } : { $ref, description };
}

/** An object with these properties only; those that end in `?` may be left out. */
export function closedObject(properties: NamedSchemas, parts: JsonSchema = {}): JsonSchema {
  return { ...openObject(properties), ...parts, additionalProperties: false };
}

/** An object with these properties, and others that later versions may add. */
export function openObject(properties: NamedSchemas, parts: JsonSchema = {}): JsonSchema {
  const entries = Object.entries(properties);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith("?"));
  return {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name.replace(/\?$/, ""), schema]),
    ),
    ...(required.length === 0 ? {} : { required }),
    ...parts,
  };
}

export function list(items: JsonSchema, parts: JsonSchema = {}): JsonSchema {
  return { type: "array", items, ...parts };
}

export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

export function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}

/** One named schema as a separate document, with the schemas that it references under `$defs`. */
export function standaloneSchema(name: string, schemas: NamedSchemas, id: string): JsonSchema {
  const $defs: Record<string, unknown> = {};
  const localize = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(localize);
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part).map(([keyword, value]) => {
      if (keyword !== "$ref" || typeof value !== "string") return [keyword, localize(value)];
      const target = value.slice(componentsPath.length);
      if (!Object.hasOwn($defs, target)) {
        // Added before it is walked: a schema may reference itself.
        $defs[target] = null;
        $defs[target] = localize(schemas[target]);
      }
      return [keyword, `#/$defs/${target}`];
    });
    return Object.fromEntries(entries);
  };
  const root = localize(schemas[name]) as JsonSchema;
  const dialect = "https://json-schema.org/draft/2020-12/schema";
  return { $schema: dialect, $id: id, ...root, $defs };
}
