/** Where the frame has a tile, answers are numbered and replaced tile by tile. */
export const frameKey = ({ id, tile }: { readonly id: string; readonly tile?: string }): string =>
  tile === undefined ? id : JSON.stringify([id, tile]);
