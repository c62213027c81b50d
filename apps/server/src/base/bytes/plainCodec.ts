/**
 * Plain objects as numbers, for messages between threads that hold thousands of small objects: structured clone writes
 * the name of every property of every object, and takes twenty times as long.
 *
 *   value  = number below 0: a tag (see below), or shape · its properties in the order of the shape
 *   number = itself, where the shape says that the property is one
 *
 * Shapes and short strings are sent once, when they first occur: both ends number them alike, so messages must
 * arrive in their order.
 */
export interface PlainMessage {
  readonly numbers: Float64Array;
  readonly bigints: BigInt64Array;
  /** Values other than plain objects, arrays, numbers, bigints and booleans, for structured clone. */
  readonly others: readonly unknown[];
  /** Shapes and strings that occur for the first time. */
  readonly shapes: readonly Shape[];
  readonly strings: readonly string[];
  /** The numbering of strings restarts: there were too many. */
  readonly forgets: boolean;
}

/**
 * Arrays and objects of this class stay shared: all references to one point to one copy after arrival. Other objects are
 * copied for each reference, since looking each up costs more than writing it.
 */
export class SharedObject {}

/** Property by property: its name, and whether it is a number. */
export interface Shape {
  readonly keys: readonly string[];
  readonly isNumber: readonly boolean[];
}

const tags = {
  null: -1,
  undefined: -2,
  true: -3,
  false: -4,
  number: -5,
  bigint: -6,
  other: -7,
  /** Length and values follow. */
  array: -8,
  /** An array or shared object follows: the first, second … of them in the message. */
  shared: -9,
  /** Number of the array or shared object that is referenced. */
  same: -10,
  /** Tag of the first string; later strings have the numbers below it. */
  string: -11,
} as const;

/** Repeated strings are short and few: names of kinds. */
const repeatedLengthMax = 32;
const sentStringsMax = 1_024;

type PropertyKind = "number" | "value";

/** A node in the tree of shapes: the properties so far, and the child for each next property. */
class ShapeNode {
  /** -1: no object has ended here. */
  shape = -1;
  readonly #numbers = new Map<string, ShapeNode>();
  readonly #values = new Map<string, ShapeNode>();
  /** The child that the last object took: the next one usually takes it too. */
  #usual: ShapeNode | null = null;

  constructor(
    readonly parent: ShapeNode | null,
    readonly key: string,
    readonly kind: PropertyKind,
  ) {}

  next(key: string, kind: PropertyKind): ShapeNode {
    const usual = this.#usual;
    if (usual !== null && usual.key === key && usual.kind === kind) return usual;
    const steps = kind === "number" ? this.#numbers : this.#values;
    let step = steps.get(key);
    if (step === undefined) {
      step = new ShapeNode(this, key, kind);
      steps.set(key, step);
    }
    this.#usual = step;
    return step;
  }

  describe(): Shape {
    const keys: string[] = [];
    const isNumber: boolean[] = [];
    for (let node: ShapeNode = this; node.parent !== null; node = node.parent) {
      keys.unshift(node.key);
      isNumber.unshift(node.kind === "number");
    }
    return { keys, isNumber };
  }
}

/** The sending end of one channel. */
export class PlainEncoder {
  readonly #root = new ShapeNode(null, "", "value");
  #shapeCount = 0;
  #numbers = new Float64Array(4_096);
  #used = 0;
  #bigints = new BigInt64Array(512);
  #bigintsUsed = 0;
  #others: unknown[] = [];
  #shapes: Shape[] = [];
  readonly #sent = new Map<string, number>();
  #strings: string[] = [];
  #places = new Map<object, number>();

  encode(value: unknown): PlainMessage {
    // Strings of users must not fill the table that is meant for names of kinds.
    const forgets = this.#sent.size >= sentStringsMax;
    if (forgets) this.#sent.clear();
    this.#write(value);
    const message: PlainMessage = {
      numbers: this.#numbers.slice(0, this.#used),
      bigints: this.#bigints.slice(0, this.#bigintsUsed),
      others: this.#others,
      shapes: this.#shapes,
      strings: this.#strings,
      forgets,
    };
    this.#used = 0;
    this.#bigintsUsed = 0;
    this.#others = [];
    this.#shapes = [];
    this.#strings = [];
    this.#places = new Map();
    return message;
  }

  #write(value: unknown): void {
    if (typeof value === "object" && value !== null) this.#writeObject(value);
    else if (typeof value === "number") {
      this.#push(tags.number);
      this.#push(value);
    } else if (typeof value === "bigint") this.#writeBigint(value);
    else if (value === null) this.#push(tags.null);
    else if (value === undefined) this.#push(tags.undefined);
    else if (typeof value === "boolean") this.#push(value ? tags.true : tags.false);
    else if (typeof value === "string") this.#writeString(value);
    else this.#writeOther(value);
  }

  #writeObject(value: object): void {
    if (Array.isArray(value)) {
      if (!this.#isKnown(value)) this.#writeArray(value);
    } else if (value.constructor === Object) {
      this.#writePlain(value as Readonly<Record<string, unknown>>);
    } else if (value instanceof SharedObject) {
      if (!this.#isKnown(value)) this.#writePlain(value as unknown as Record<string, unknown>);
    } else this.#writeOther(value);
  }

  /** Whether it was written before; then a reference is enough. */
  #isKnown(value: object): boolean {
    const place = this.#places.get(value);
    if (place === undefined) {
      this.#places.set(value, this.#places.size);
      this.#push(tags.shared);
      return false;
    }
    this.#push(tags.same);
    this.#push(place);
    return true;
  }

  #writePlain(value: Readonly<Record<string, unknown>>): void {
    const head = this.#used;
    this.#push(0);
    let node = this.#root;
    for (const key in value) {
      const property = value[key];
      const isNumber = typeof property === "number";
      node = node.next(key, isNumber ? "number" : "value");
      if (isNumber) this.#push(property);
      else this.#write(property);
    }
    if (node.shape < 0) {
      node.shape = this.#shapeCount++;
      this.#shapes.push(node.describe());
    }
    this.#numbers[head] = node.shape;
  }

  #writeArray(values: readonly unknown[]): void {
    this.#push(tags.array);
    this.#push(values.length);
    for (let i = 0; i < values.length; i++) this.#write(values[i]);
  }

  #writeBigint(value: bigint): void {
    const at = this.#bigintsUsed;
    if (at === this.#bigints.length) {
      const bigints = new BigInt64Array(at * 2);
      bigints.set(this.#bigints);
      this.#bigints = bigints;
    }
    this.#bigints[at] = value;
    // A bigint beyond 64 bits would be read back as another.
    if (this.#bigints[at] !== value) {
      this.#writeOther(value);
      return;
    }
    this.#bigintsUsed++;
    this.#push(tags.bigint);
  }

  #writeString(value: string): void {
    let place = this.#sent.get(value);
    if (place === undefined) {
      place = this.#sent.size;
      if (value.length > repeatedLengthMax || place >= sentStringsMax) {
        this.#writeOther(value);
        return;
      }
      this.#sent.set(value, place);
      this.#strings.push(value);
    }
    this.#push(tags.string - place);
  }

  #writeOther(value: unknown): void {
    this.#push(tags.other);
    this.#others.push(value);
  }

  #push(number: number): void {
    if (this.#used === this.#numbers.length) {
      const numbers = new Float64Array(this.#used * 2);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[this.#used++] = number;
  }
}

interface KnownShape extends Shape {
  /** An object with these properties, so that its copies have their final layout at once. */
  readonly blank: Readonly<Record<string, unknown>>;
}

/** The receiving end. */
export class PlainDecoder {
  readonly #shapes: KnownShape[] = [];
  readonly #strings: string[] = [];

  decode(message: PlainMessage): unknown {
    const { shapes, strings, forgets } = message;
    if (forgets) this.#strings.length = 0;
    for (const text of strings) this.#strings.push(text);
    for (const shape of shapes) {
      const blank: Record<string, unknown> = {};
      for (const key of shape.keys) define(blank, key, null);
      this.#shapes.push({ ...shape, blank });
    }
    return new Reading(message, this.#shapes, this.#strings).value();
  }
}

class Reading {
  readonly #numbers: Float64Array;
  readonly #bigints: BigInt64Array;
  readonly #others: readonly unknown[];
  readonly #shapes: readonly KnownShape[];
  readonly #strings: readonly string[];
  #at = 0;
  #bigintAt = 0;
  #otherAt = 0;
  #placeCount = 0;
  /** Shared ones in the order of their beginnings. */
  readonly #places: object[] = [];

  constructor(
    { numbers, bigints, others }: PlainMessage,
    shapes: readonly KnownShape[],
    strings: readonly string[],
  ) {
    this.#numbers = numbers;
    this.#bigints = bigints;
    this.#others = others;
    this.#shapes = shapes;
    this.#strings = strings;
  }

  value(): unknown {
    const head = this.#number();
    if (head >= 0) return this.#plain(head, -1);
    if (head <= tags.string) return this.#string(tags.string - head);
    switch (head) {
      case tags.null:
        return null;
      case tags.undefined:
        return undefined;
      case tags.true:
        return true;
      case tags.false:
        return false;
      case tags.number:
        return this.#number();
      case tags.bigint:
        return this.#bigints[this.#bigintAt++];
      case tags.other:
        return this.#others[this.#otherAt++];
      case tags.shared:
        return this.#shared();
      case tags.same:
        return this.#places[this.#number()];
      default:
        throw new Error(`${head} is no tag`);
    }
  }

  /** `place`: its index among the shared ones; -1: it is not shared. */
  #plain(index: number, place: number): object {
    const shape = this.#shapes[index];
    if (shape === undefined) throw new Error(`shape ${index} was never sent`);
    const { keys, isNumber } = shape;
    const object: Record<string, unknown> = { ...shape.blank };
    if (place >= 0) this.#places[place] = object;
    for (let i = 0; i < keys.length; i++) {
      object[keys[i]!] = isNumber[i]! ? this.#number() : this.value();
    }
    return object;
  }

  #string(place: number): string {
    const text = this.#strings[place];
    if (text === undefined) throw new Error(`string ${place} was never sent`);
    return text;
  }

  #shared(): object {
    const place = this.#placeCount++;
    const head = this.#number();
    return head === tags.array ? this.#array(place) : this.#plain(head, place);
  }

  #array(place: number): unknown[] {
    const length = this.#number();
    const values: unknown[] = [];
    this.#places[place] = values;
    for (let i = 0; i < length; i++) values.push(this.value());
    return values;
  }

  #number(): number {
    return this.#numbers[this.#at++]!;
  }
}

/** Works for a property named `__proto__` too, since the blank object already owns it. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
