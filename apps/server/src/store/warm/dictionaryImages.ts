import { Dictionary } from "../../column/dictionary.js";
import { ListDictionary } from "../../column/listDictionary.js";
import type { ColumnDictionary } from "../../column/segmentColumn.js";
import { WarmFile, writeWarmFile } from "./warmFile.js";

/** The dictionaries of one table; lists name the dictionary of their elements. */
interface DictionariesHead {
  readonly dictionaries: readonly DictionaryHead[];
  /** Those that new rows go to: the place of the column and its number. */
  readonly places: readonly (readonly [place: string, dictionary: number])[];
}

type DictionaryHead =
  | { readonly kind: "strings"; readonly count: number; readonly textBytes: number }
  | {
      readonly kind: "lists";
      readonly elements: number;
      readonly count: number;
      readonly elementCount: number;
      readonly elementBytes: 2 | 4;
      readonly isFrozen: boolean;
    };

/** Numbers dictionaries in the order in which they are first asked for, elements before their lists. */
export class NumberedDictionaries {
  readonly #numbers = new Map<ColumnDictionary, number>();

  readonly numberOf = (dictionary: ColumnDictionary): number => {
    const known = this.#numbers.get(dictionary);
    if (known !== undefined) return known;
    if (dictionary instanceof ListDictionary) this.numberOf(dictionary.elements);
    const number = this.#numbers.size;
    this.#numbers.set(dictionary, number);
    return number;
  };

  /** Returns the bytes written. */
  write(path: string, places: readonly (readonly [string, ColumnDictionary])[]): number {
    const numbered = places.map(([place, one]) => [place, this.numberOf(one)] as const);
    const parts: Uint8Array[] = [];
    const dictionaries = [...this.#numbers.keys()].map((one) => this.#print(one, parts));
    const head: DictionariesHead = { dictionaries, places: numbered };
    return writeWarmFile(path, head, parts);
  }

  #print(dictionary: ColumnDictionary, parts: Uint8Array[]): DictionaryHead {
    if (dictionary instanceof Dictionary) {
      const { text, lengths } = dictionary.encodeAll();
      parts.push(text, bytesOf(lengths));
      return { kind: "strings", count: lengths.length, textBytes: text.length };
    }
    const { codes, ends, isFrozen } = dictionary.image;
    parts.push(bytesOf(codes), bytesOf(ends));
    return {
      ...{ kind: "lists", elements: this.numberOf(dictionary.elements) },
      ...{ count: ends.length, elementCount: codes.length, isFrozen },
      elementBytes: codes instanceof Uint16Array ? 2 : 4,
    };
  }
}

export interface ReadDictionaries {
  /** By number. */
  readonly list: readonly ColumnDictionary[];
  readonly places: readonly (readonly [place: string, dictionary: ColumnDictionary])[];
}

/** Throws where the file is damaged. */
export function readDictionaries(path: string): ReadDictionaries {
  const file = new WarmFile<DictionariesHead>(path);
  try {
    const parts = file.head.dictionaries.map((head) => readParts(head, file));
    file.end();
    const list: ColumnDictionary[] = [];
    for (const part of parts) list.push(dictionaryOf(part, list));
    const places = file.head.places.map(([place, number]) => [place, list[number]!] as const);
    return { list, places };
  } finally {
    file.close();
  }
}

type ReadParts =
  | { readonly kind: "strings"; readonly text: Uint8Array; readonly lengths: Uint32Array }
  | {
      readonly kind: "lists";
      readonly elements: number;
      readonly codes: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
      readonly ends: Uint32Array<ArrayBuffer>;
      readonly isFrozen: boolean;
    };

function readParts(head: DictionaryHead, file: WarmFile<unknown>): ReadParts {
  const read = (bytes: number): ArrayBuffer => {
    // A head that is damaged may state any number.
    if (!(bytes >= 0 && bytes <= file.partBytes)) throw new Error("cut off");
    const buffer = new ArrayBuffer(bytes);
    file.read(new Uint8Array(buffer));
    return buffer;
  };
  if (head.kind === "strings") {
    const text = new Uint8Array(read(head.textBytes));
    return { kind: "strings", text, lengths: new Uint32Array(read(head.count * 4)) };
  }
  const { elements, isFrozen } = head;
  const bytes = read(head.elementCount * head.elementBytes);
  const codes = head.elementBytes === 2 ? new Uint16Array(bytes) : new Uint32Array(bytes);
  const ends = new Uint32Array(read(head.count * 4));
  return { kind: "lists", elements, codes, ends, isFrozen };
}

/** `before`: the dictionaries of smaller numbers. */
function dictionaryOf(part: ReadParts, before: readonly ColumnDictionary[]): ColumnDictionary {
  if (part.kind === "strings") {
    const dictionary = new Dictionary();
    dictionary.internAll(part);
    if (dictionary.codeCount !== part.lengths.length + 1)
      throw new Error("a dictionary has a value twice");
    return dictionary;
  }
  const elements = before[part.elements];
  if (!(elements instanceof Dictionary)) throw new Error("the elements of lists are not there");
  return ListDictionary.ofImage(elements, part);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
