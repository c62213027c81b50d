import { registerMap } from "echarts/core";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { countryKeyOf } from "./countryCodes.js";

export const mapName = "world";

export interface WorldMap {
  /** Countries that the map can show, by their two letters. */
  readonly keys: ReadonlySet<string>;
}

export type Atlas = Topology<{
  readonly countries: GeometryCollection<{ readonly name: string }>;
}>;

/** Makes the shapes known to ECharts. */
export function registerWorld(atlas: Atlas): WorldMap {
  const keys = new Set<string>();
  const countries = feature(atlas, atlas.objects.countries);
  for (const one of countries.features) {
    const key = countryKeyOf(String(one.id ?? "")) ?? countryKeyOf(one.properties.name);
    // Distant islands of a country are separate shapes.
    const isFirst = key !== null && !keys.has(key);
    if (isFirst) keys.add(key);
    // ECharts finds shapes by this name.
    one.properties = { name: isFirst ? key : `– ${one.properties.name}` };
  }
  registerMap(mapName, countries as Parameters<typeof registerMap>[1]);
  return { keys };
}
