import type { OracleValue } from "../table/oracleTable.js";

/** Things by lists of keys, each made when its keys are first asked for. Number 1 and text "1" are two keys. */
export interface KeyTree<T> {
  of(keys: readonly OracleValue[]): T;
  /** In the order in which they were made. */
  readonly all: readonly T[];
}

interface Node<T> {
  readonly next: Map<OracleValue, Node<T>>;
  thing: T | undefined;
}

export function createKeyTree<T>(make: (keys: readonly OracleValue[]) => T): KeyTree<T> {
  const root: Node<T> = { next: new Map(), thing: undefined };
  const all: T[] = [];
  const nextOf = (node: Node<T>, key: OracleValue): Node<T> => {
    const known = node.next.get(key);
    if (known !== undefined) return known;
    const next: Node<T> = { next: new Map(), thing: undefined };
    node.next.set(key, next);
    return next;
  };
  return {
    all,
    of: (keys) => {
      const node = keys.reduce(nextOf, root);
      if (node.thing === undefined) {
        node.thing = make(keys);
        all.push(node.thing);
      }
      return node.thing;
    },
  };
}
