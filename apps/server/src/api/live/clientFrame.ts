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
  | BatchFrame
  | { readonly kind: "priority"; readonly id: string; readonly tiles: readonly string[] }
  | { readonly kind: "cancel"; readonly id: string };

/** The queries of a board, each with the name of its tile. */
export interface BatchFrame {
  readonly kind: "batch";
  readonly id: string;
  /** How long after its last answer the batch is asked again; null: once. */
  readonly everyMs: number | null;
  readonly tiles: readonly BatchTile[];
}

export interface BatchTile {
  readonly tile: string;
  /** Or why the query cannot be read. */
  readonly asked: QueryBody | { readonly error: unknown };
}

/** Ids are echoed in every frame. */
const frameIdUnitsMax = 200;
/** A board with more is slower to read than to ask. */
const batchTilesMax = 500;
/** Tiles that no one may wait for need not take the whole minute. */
const tileTimeoutMs = 10_000;
/** A day: longer waits are no live query. */
const everyMsMax = 86_400_000;

/** Why a frame is refused, and for which query, if it said so. */
export interface RefusedFrame {
  readonly id: string;
  readonly error: unknown;
}

/** Reads a frame. Returns a fault instead of throwing: one bad frame must not end the other queries. */
export function checkClientFrame(text: string): CheckedFrame | RefusedFrame {
  let id = "";
  try {
    const frame = parseJson(text);
    if (typeof frame !== "object" || frame === null || Array.isArray(frame)) {
      throw fault("", "A frame is a JSON object.");
    }
    const fields = frame as Readonly<Record<string, unknown>>;
    if (isFrameId(fields.id)) id = fields.id;
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
    case "batch":
      return checkBatch(fields, id);
    case "priority":
      return { kind: "priority", id, tiles: checkTiles(fields.tiles) };
    default:
      throw fault("kind", `\`kind\` must be one of ${frameKinds.join(", ")}.`);
  }
}

const frameKinds = [
  ...["query", "subscribe", "facets", "what-changed", "batch", "priority", "cancel"],
] as const;

function checkBatch(fields: Readonly<Record<string, unknown>>, id: string): BatchFrame {
  const { queries, everyMs = null } = fields;
  if (!Array.isArray(queries) || queries.length === 0 || queries.length > batchTilesMax) {
    throw fault("queries", `\`queries\` must be a list of 1 to ${batchTilesMax} tiles.`);
  }
  const tiles = queries.map((given, i) => checkTile(given, `queries[${i}]`));
  if (new Set(tiles.map(({ tile }) => tile)).size < tiles.length) {
    throw fault("queries", "Each `tile` must have a name of its own.");
  }
  return { kind: "batch", id, everyMs: everyMs === null ? null : checkEvery(everyMs), tiles };
}

/** A query that cannot be read is that tile's problem alone. */
function checkTile(given: unknown, path: string): BatchTile {
  const fields = (typeof given === "object" ? given : null) as Record<string, unknown> | null;
  const tile = fields?.tile;
  if (fields === null || !isFrameId(tile)) {
    const detail = `\`tile\` must be a text of 1 to ${frameIdUnitsMax} characters.`;
    throw fault(`${path}.tile`, detail);
  }
  try {
    const { query, explain } = readQuery(fields);
    return { tile, asked: { query: withTimeout(query), explain } };
  } catch (error) {
    return { tile, asked: { error } };
  }
}

const withTimeout = (query: unknown): unknown =>
  typeof query === "object" && query !== null && !Array.isArray(query)
    ? { timeoutMs: tileTimeoutMs, ...query }
    : query;

function checkTiles(tiles: unknown): readonly string[] {
  if (Array.isArray(tiles) && tiles.length <= batchTilesMax && tiles.every(isFrameId)) return tiles;
  throw fault("tiles", `\`tiles\` must be a list of at most ${batchTilesMax} names of tiles.`);
}

const isFrameId = (id: unknown): id is string =>
  typeof id === "string" && id !== "" && id.length <= frameIdUnitsMax;

/** A request under the name of its kind: {"kind": "facets", "facets": {...}}. */
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
