import { registerMap } from "echarts/core";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import atlasUrl from "world-atlas/countries-50m.json?url";
import { countryKeyOf } from "./countryCodes.js";

export const mapName = "world";

export interface WorldMap {
  /** Countries that the map can show, by their two letters. */
  readonly keys: ReadonlySet<string>;
}

type Atlas = Topology<{ readonly countries: GeometryCollection<{ readonly name: string }> }>;

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
  const atlas = (await response.json()) as Atlas;
  const keys = new Set<string>();
  const countries = feature(atlas, atlas.objects.countries);
  for (const one of countries.features) {
    const key = countryKeyOf(String(one.id ?? "")) ?? countryKeyOf(one.properties.name);
    // Far islands of a country come as shapes of their own.
    const isFirst = key !== null && !keys.has(key);
    if (isFirst) keys.add(key);
    // ECharts finds shapes by this name.
    one.properties = { name: isFirst ? key : `– ${one.properties.name}` };
  }
  registerMap(mapName, countries as Parameters<typeof registerMap>[1]);
  return { keys };
}
