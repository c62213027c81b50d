/** Says a drawing in vectors, as a document `<svg …>` of its own. */
export type SvgSource = () => string | Promise<string>;

const sources = new WeakMap<Element, SvgSource>();

/** Pictures of the page take what an element shows from here, not from the pixels of its canvas. Returns the undoing. */
export function offerSvg(element: Element, source: SvgSource): () => void {
  sources.set(element, source);
  return () => {
    sources.delete(element);
  };
}

export const svgSourceOf = (element: Element): SvgSource | undefined => sources.get(element);
