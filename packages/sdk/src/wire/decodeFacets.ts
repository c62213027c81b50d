import type { Facet, Facets, FacetValue } from "../model/facets.js";
import type { AnsweringFrame } from "./frames.js";

/** Facets as JSON has them → as the SDK hands them out: integers beyond 2^53 become BigInt. */
export function decodeFacets(facets: Facets): Facets {
  return { ...facets, columns: facets.columns.map(decodeFacet) };
}

/** The facets inside a frame. */
export function facetsOfFrame(frame: AnsweringFrame): Facets {
  if (frame.kind !== "facets") throw new Error("a request for facets is answered with facets");
  return decodeFacets(frame.facets);
}

function decodeFacet(facet: Facet): Facet {
  const { type, decimals, values } = facet;
  if (type !== "int" || decimals > 0 || values === null) return facet;
  return { ...facet, values: values.map(decodeValue) };
}

function decodeValue(found: FacetValue): FacetValue {
  const { value } = found;
  return typeof value === "string" ? { ...found, value: BigInt(value) } : found;
}
