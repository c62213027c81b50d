import {
  createLiveObserver,
  type LiveAsker,
  type LiveObserver,
  type LiveSnapshot,
  type Question,
} from "./observer.js";

/** Observers by name, for the extra results of a view. */
export interface ObserverSet<S> {
  getSnapshot(): Readonly<Record<string, LiveSnapshot<S>>>;
  subscribe(listener: () => void): () => void;
  /** Runs these, and stops those that are not among them. */
  ask(questions: Readonly<Record<string, Question<S>>>): void;
  stop(): void;
}

export function createObserverSet<S>(client: LiveAsker): ObserverSet<S> {
  const observers = new Map<string, LiveObserver<S>>();
  const listeners = new Set<() => void>();
  let snapshot: Readonly<Record<string, LiveSnapshot<S>>> = {};
  const refresh = (): void => {
    snapshot = Object.fromEntries([...observers].map(([name, one]) => [name, one.getSnapshot()]));
    for (const listener of listeners) listener();
  };
  const observerOf = (name: string): LiveObserver<S> => {
    const known = observers.get(name);
    if (known !== undefined) return known;
    const made = createLiveObserver<S>(client);
    made.subscribe(refresh);
    observers.set(name, made);
    return made;
  };
  const drop = (name: string): void => {
    observers.get(name)?.stop();
    observers.delete(name);
  };
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ask(questions) {
      const gone = [...observers.keys()].filter((name) => !Object.hasOwn(questions, name));
      for (const name of gone) drop(name);
      if (gone.length > 0) refresh();
      for (const [name, question] of Object.entries(questions)) void observerOf(name).ask(question);
    },
    stop() {
      for (const observer of observers.values()) observer.stop();
    },
  };
}
