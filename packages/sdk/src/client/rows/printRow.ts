/** Why a row cannot be written; it is rejected on its own, the others go on. */
export class InvalidRow extends Error {}

/** Deeper nesting is a loop or a mistake. */
const depthMax = 64;

/**
 * One row as a line of NDJSON. BigInt is written digit by digit, a Set as `{"$set": […]}`; what
 * JSON cannot say (NaN, infinity, functions, loops) throws a {@link InvalidRow} instead of becoming
 * null.
 */
export function printRow(row: unknown): string {
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    throw new InvalidRow("A row is an object of names and values.");
  }
  return printValue(row, "", 0);
}

function printValue(value: unknown, path: string, depth: number): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value))
        throw new InvalidRow(`${path} is ${value}, which no row can hold.`);
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return value.toString();
    case "undefined":
      return "null";
    case "object":
      return value === null ? "null" : printObject(value, path, depth + 1);
    default:
      throw new InvalidRow(`${path} is a ${typeof value}, which no row can hold.`);
  }
}

function printObject(value: object, path: string, depth: number): string {
  if (depth > depthMax) throw new InvalidRow(`${path.slice(0, 80)} nests deeper than ${depthMax}.`);
  if (value instanceof Set) return `{"$set":${printList([...value], path, depth)}}`;
  if (value instanceof Map) throw new InvalidRow(`${path} is a Map: make it an object.`);
  if (Array.isArray(value)) return printList(value, path, depth);
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return printValue(value.toJSON(), path, depth);
  }
  const parts: string[] = [];
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const partPath = path === "" ? name : `${path}.${name}`;
    parts.push(`${JSON.stringify(name)}:${printValue(part, partPath, depth)}`);
  }
  return `{${parts.join(",")}}`;
}

function printList(list: readonly unknown[], path: string, depth: number): string {
  return `[${list.map((value, i) => printValue(value, `${path}[${i}]`, depth)).join(",")}]`;
}
