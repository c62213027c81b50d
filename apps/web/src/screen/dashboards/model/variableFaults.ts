import { shortenName } from "../../../format/name.js";

/** Why a tile's query cannot be asked. */
export interface VariableFaults {
  /** Variables that its filters name and that the board does not have. */
  readonly unknown: readonly string[];
  /** Variables that it names outside its filters. */
  readonly misplaced: readonly string[];
}

export interface FaultWords {
  readonly title: string;
  readonly text: string;
}

/** null: there are no faults. */
export function faultWords({ unknown, misplaced }: VariableFaults): FaultWords | null {
  const [first] = unknown;
  if (first !== undefined) {
    const text = `The filters of this tile name ${listed(unknown)}. Add the variable to the dashboard, or edit the tile; $$${short(first)} is the text itself.`;
    return { title: `There is no variable ${short(first)}`, text };
  }
  const [other] = misplaced;
  if (other === undefined) return null;
  const text = `Variables have values in filters alone: this tile names ${listed(misplaced)} in a number, a computed column or kept groups. Edit the tile.`;
  return { title: `$${short(other)} has no place here`, text };
}

const short = (name: string): string => shortenName(name, 40);
const listed = (names: readonly string[]): string =>
  names.map((name) => `$${short(name)}`).join(", ");
