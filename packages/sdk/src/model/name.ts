import { nameBytesMax } from "./schema.js";

/**
 * What is wrong with the name of a table or column, as a sentence; null when it is fine.
 * `__proto__` is an ordinary name.
 */
export function nameFault(name: string): string | null {
  if (name === "") return "A name must not be empty.";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not have.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name))
    return "A name must not contain control characters.";
  if (/\p{Surrogate}/u.test(name)) return "A name must be well-formed Unicode.";
  const bytes = new TextEncoder().encode(name).length;
  return bytes > nameBytesMax
    ? `A name has at most ${nameBytesMax} bytes of UTF-8 (nameBytesMax); this one has ${bytes}.`
    : null;
}
