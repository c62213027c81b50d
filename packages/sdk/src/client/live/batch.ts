import { HadalError } from "../../model/problem/problem.js";
import { resultOfFrame } from "../../wire/decodeResult.js";
import { askedFor, everyMsMin, type ServerFrame } from "../../wire/frames.js";
import type { Batch, BatchOptions, TileQuery } from "../hadalClient.js";
import type { LiveRequest, LiveSocket } from "./liveSocket.js";

export function openBatch(
  socket: LiveSocket,
  queries: readonly TileQuery[],
  { everyMs, onResult, onProblem, onLost }: BatchOptions,
): Batch {
  let order: readonly string[] = [];
  const request: LiveRequest = {
    kind: "batch",
    everyMs: everyMs === undefined ? null : Math.max(everyMsMin, everyMs),
    // Sent again on a new connection: by then others may be in view.
    get queries() {
      const place = new Map(order.map((tile, i) => [tile, i]));
      const placeOf = ({ tile }: TileQuery): number => place.get(tile) ?? order.length;
      return queries
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .map(({ tile, query }) => ({ tile, ...askedFor(query) }));
    },
  };
  const onFrame = (frame: ServerFrame): void => {
    if (frame.kind === "problem") {
      const problem = HadalError.fromProblem(frame.problem);
      const refused = frame.tile === undefined ? queries.map(({ tile }) => tile) : [frame.tile];
      // Of the whole batch: nothing more comes.
      if (frame.tile === undefined) open.end();
      for (const tile of refused) onProblem(tile, problem);
    } else if ("tile" in frame && frame.tile !== undefined) {
      onResult(frame.tile, resultOfFrame(frame));
    }
  };
  const open = socket.open(request, {
    onFrame,
    onLost(error) {
      onLost?.(error);
      return error.retry ? "ask again" : "give up";
    },
  });
  return {
    prioritize(tiles) {
      order = tiles;
      open.send({ kind: "priority", tiles });
    },
    stop: () => open.cancel(),
  };
}
