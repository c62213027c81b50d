import { HadalError, type Permission, type ProblemCode } from "@hadal/sdk";
import type { JsonSchema } from "@hadal/sdk/schema";

/** The parts of the document, in its order. */
export const tags = [
  ...(["Rows", "Queries", "Tables", "Functions", "Documents", "Alerts", "Links"] as const),
  ...(["People", "Embeds", "Server"] as const),
] as const;
type Tag = (typeof tags)[number];

/** A route as the OpenAPI document describes it; every route is registered with one. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** Who may use it: everyone, everyone who signed in or has a token, or those with the permission. */
  readonly access: "open" | "signed-in" | Permission;
  /** Visitors of an embed may use it, within what their token allows. */
  readonly isForEmbeds?: true;
  /** Whether a `signature` in its address says who sends it. */
  readonly isSigned?: true;
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  /** The answer on success; problems are the same everywhere. */
  readonly answer: Answer;
  /** Codes of problems that are typical of this route, beside those of any request. */
  readonly problems?: readonly ProblemCode[];
}

/** Problems of a query that are found before leaves are asked. */
export const bindingProblems = [
  "invalid-query",
  "time-range-missing",
  "time-range-invalid",
  "unknown-table",
  "unknown-column",
  "type-mismatch",
  "invalid-pattern",
  "unsupported",
] as const satisfies readonly ProblemCode[];

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface Body {
  readonly description?: string;
  /** By media type. */
  readonly content: Readonly<Record<string, Content>>;
}

export interface Answer {
  readonly status: number;
  readonly description: string;
  /** Another status with the same content. */
  readonly otherwise?: { readonly status: number; readonly description: string };
  readonly content?: Readonly<Record<string, Content>>;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
}

export interface Content {
  readonly schema: JsonSchema;
  /** For a text that is not JSON, the text itself. */
  readonly example?: unknown;
}

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** The path parameter of every route about one table. */
export const tableParameter: Parameter = {
  name: "table",
  in: "path",
  description: "Name of the table, escaped as in any URL.",
  schema: { $ref: "#/components/schemas/Name" },
  example: "visits",
};

/** Of whatever is answered. */
export const sessionParameter = {
  name: "X-Hadal-Session",
  in: "header",
  description:
    "Names the client: of answers to one session `asOf` never goes back, also where `freshnessMs` would allow an older one. A live socket is a session by itself, or goes on with the one that `?session=` names.",
  schema: { type: "string", pattern: "^[\\w.:-]{1,100}$" },
} as const satisfies Parameter;

type Given = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The parameters of a request's URL as their schemas have them: whole numbers within their bounds, one of
 * the words of an `enum`, texts with content. Throws `bad-request` for what is unknown, given twice or wrong.
 */
export function readParameters(
  given: unknown,
  { parameters = [] }: Operation,
): ReadonlyMap<string, string | number> {
  const known = parameters.filter((parameter) => parameter.in === "query");
  const read = new Map<string, string | number>();
  for (const [name, value] of Object.entries(given as Given)) {
    const parameter = known.find((other) => other.name === name);
    if (parameter === undefined || typeof value !== "string") {
      const names = known.map((other) => other.name).join(", ");
      throw badParameter(
        `Parameter ${JSON.stringify(name.slice(0, 50))} is not known or given twice; there are: ${names}.`,
      );
    }
    read.set(name, readParameter(value, parameter));
  }
  return read;
}

function readParameter(text: string, { name, schema }: Parameter): string | number {
  const shown = `\`${name}\` is ${JSON.stringify(text.slice(0, 50))}`;
  if (schema.type === "integer") {
    const { minimum, maximum } = schema as { minimum: number; maximum: number };
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= minimum && value <= maximum) return value;
    throw badParameter(`${shown}; it must be a whole number from ${minimum} to ${maximum}.`);
  }
  const words = schema.enum as readonly string[] | undefined;
  if (words !== undefined && !words.includes(text)) {
    throw badParameter(`${shown}; use ${words.join(" or ")}.`);
  }
  if (schema.minLength === 1 && text === "") throw badParameter(`Parameter \`${name}\` is empty.`);
  return text;
}

function badParameter(detail: string): HadalError {
  return new HadalError("bad-request", { detail });
}

/** The path parameter of a route about one thing with an id. */
export function idParameter(description: string, example: string): Parameter {
  return { name: "id", in: "path", description, schema: { type: "string" }, example };
}

export interface WithId {
  readonly Params: { readonly id: string };
}

/** The answer to the removal of what has an id. */
export function idAnswer(id: string): Answer {
  return {
    status: 200,
    description: "It is gone.",
    content: {
      "application/json": {
        schema: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
        example: { id },
      },
    },
  };
}
