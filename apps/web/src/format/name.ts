/** Cuts long names in the middle: names differ at both ends (`/api/v1/…/items`). */
export function shortenName(name: string, lengthMax: number): string {
  const points = [...name];
  if (points.length <= lengthMax) return name;
  const head = Math.ceil((lengthMax - 1) / 2);
  const tail = lengthMax - 1 - head;
  return `${points.slice(0, head).join("")}…${points.slice(points.length - tail).join("")}`;
}

const tailLength = 5;
/** Right-to-left scripts: the browser would swap the two parts. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name in two parts: CSS may cut the end of the first, so that the cut is in the middle. */
export function namePartsOf(name: string): readonly [head: string, tail: string] {
  const points = [...name];
  if (points.length <= 2 * tailLength || rightToLeft.test(name)) return [name, ""];
  return [points.slice(0, -tailLength).join(""), points.slice(-tailLength).join("")];
}

/** A key per text, with a number for duplicates: for lists whose entries have no id. */
export function distinctKeys(texts: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    return before === 0 ? text : `${text} #${before}`;
  });
}
