import { world } from "./world.js";

/** The state that a module has in the process that runs: bundled modules with a state ask for it. */
export function ownState<State>(make: () => State): State {
  const { own } = world().current;
  const known = own.get(make);
  if (known !== undefined) return known as State;
  const made = make();
  own.set(make, made);
  return made;
}
