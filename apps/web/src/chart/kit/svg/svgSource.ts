/** Prints a drawing as an SVG document. */
export type SvgSource = () => string | Promise<string>;

const sources = new WeakMap<Element, SvgSource>();

/** Registers the SVG source of an element for saved pictures, instead of its canvas pixels. Returns the removal. */
export function offerSvg(element: Element, source: SvgSource): () => void {
  sources.set(element, source);
  return () => {
    sources.delete(element);
  };
}

export const svgSourceOf = (element: Element): SvgSource | undefined => sources.get(element);
