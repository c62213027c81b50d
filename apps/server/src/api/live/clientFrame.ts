import { everyMsMin, HadalError } from "@hadal/sdk";
import { parseJson } from "../body/jsonBody.js";
import { type QueryBody, readQuery } from "../body/queryBody.js";

/** A frame of the client, checked but for its query, which the engine checks. */
export type CheckedFrame =
  | { readonly kind: "query"; readonly id: string; readonly asked: QueryBody }
  | {
      readonly kind: "subscribe";
      readonly id: string;
      readonly asked: QueryBody;
      readonly everyMs: number;
    }
  | { readonly kind: "facets"; readonly id: string; readonly asked: QueryBody }
  | { readonly kind: "what-changed"; readonly id: string; readonly asked: QueryBody }
  | { readonly kind: "cancel"; readonly id: string };

/** Ids are echoed in every frame. */
const frameIdUnitsMax = 200;
/** A day: longer waits are no live query. */
const everyMsMax = 86_400_000;

/** Why a frame is refused, and for which query, if it said so. */
export interface RefusedFrame {
  readonly id: string;
  readonly error: unknown;
}

/** Reads a frame. What is wrong comes back as a fault, as one bad frame must not end the others' queries. */
export function checkClientFrame(text: string): CheckedFrame | RefusedFrame {
  let id = "";
  try {
    const frame = parseJson(text);
    if (typeof frame !== "object" || frame === null || Array.isArray(frame)) {
      throw fault("", "A frame is a JSON object.");
    }
    const fields = frame as Readonly<Record<string, unknown>>;
    if (typeof fields.id === "string" && fields.id.length <= frameIdUnitsMax) id = fields.id;
    if (id === "")
      throw fault("id", `\`id\` must be a text of 1 to ${frameIdUnitsMax} characters.`);
    return checkKind(fields, id);
  } catch (error) {
    return { id, error };
  }
}

function checkKind(fields: Readonly<Record<string, unknown>>, id: string): CheckedFrame {
  switch (fields.kind) {
    case "cancel":
      return { kind: "cancel", id };
    case "query":
      return { kind: "query", id, asked: readQuery(fields) };
    case "subscribe":
      return {
        kind: "subscribe",
        id,
        asked: readQuery(fields),
        everyMs: checkEvery(fields.everyMs),
      };
    case "facets":
      return { kind: "facets", id, asked: readRequest(fields, "facets") };
    case "what-changed":
      return { kind: "what-changed", id, asked: readRequest(fields, "whatChanged") };
    default:
      throw fault("kind", "`kind` must be query, subscribe, facets, what-changed or cancel.");
  }
}

/** A request that stands under its own name: {"kind": "facets", "facets": {...}}. */
function readRequest(fields: Readonly<Record<string, unknown>>, name: string): QueryBody {
  if (!Object.hasOwn(fields, name)) throw fault(name, `The frame has no \`${name}\`.`);
  return { query: fields[name], explain: (error) => error };
}

function checkEvery(everyMs: unknown): number {
  if (typeof everyMs === "number" && everyMs >= everyMsMin && everyMs <= everyMsMax) return everyMs;
  throw fault("everyMs", `\`everyMs\` must be a number from ${everyMsMin} to ${everyMsMax}.`);
}

function fault(path: string, detail: string): HadalError {
  return new HadalError("bad-request", { detail }, [{ path, code: "invalid-frame", detail }]);
}
