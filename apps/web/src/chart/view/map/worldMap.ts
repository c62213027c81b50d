import atlasUrl from "world-atlas/countries-50m.json?url";
import { type Atlas, registerWorld, type WorldMap } from "./worldShapes.js";

let loading: Promise<WorldMap> | null = null;

/** Fetches the shapes of the countries once, when a map is first shown. */
export function loadWorldMap(): Promise<WorldMap> {
  loading ??= readAtlas().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function readAtlas(): Promise<WorldMap> {
  const response = await fetch(atlasUrl);
  if (!response.ok) throw new Error(`The map's shapes did not come: ${response.status}`);
  return registerWorld((await response.json()) as Atlas);
}
