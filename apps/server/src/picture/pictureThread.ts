import { parentPort, workerData } from "node:worker_threads";
import { HadalError } from "@hadal/sdk";
import type { DrawnPicture } from "./draw/drawnPicture.js";
import { printPicture } from "./draw/printPicture.js";
import { createRuler, type Ruler } from "./draw/ruler.js";
import type {
  MessageOfThread,
  MessageToThread,
  PictureQuestion,
  PictureThreadStart,
} from "./pictureMessages.js";
import type { PictureOrder, PictureRequest, PictureSource } from "./pictureOrder.js";

/** What the bundle of apps/web/src/picture exports. */
interface Bundle {
  drawPicture(request: PictureRequest, source: PictureSource, ruler: Ruler): Promise<DrawnPicture>;
  /** The bundle's own class. */
  readonly HadalError: typeof HadalError;
}

const port = parentPort;
if (port === null) throw new Error("pictureThread runs as a worker only");
const bundle = (await import((workerData as PictureThreadStart).bundle)) as Bundle;
const ruler = createRuler();

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
let lastCall = 0;

port.on("message", (message: MessageToThread) => {
  if (message.kind === "draw") {
    void draw(message.id, message.order);
    return;
  }
  const asked = waiting.get(message.call);
  waiting.delete(message.call);
  if (message.kind === "answer") asked?.resolve(message.value as never);
  else asked?.reject(bundle.HadalError.fromProblem(message.problem));
});

async function draw(id: number, { request, format }: PictureOrder): Promise<void> {
  try {
    const picture = await bundle.drawPicture(request, sourceOf(id), ruler);
    const { subject } = request;
    const title = subject.kind === "document" ? subject.document.title : subject.title;
    const bytes = await printPicture(picture, format, title);
    send({ kind: "drawn", id, bytes });
  } catch (error) {
    if (error instanceof HadalError || error instanceof bundle.HadalError)
      send({ kind: "problem", id, problem: error.toProblem() });
    else send({ kind: "failure", id, text: String(error instanceof Error ? error.stack : error) });
  }
}

/** Everything is asked of the thread that ordered the picture. */
function sourceOf(id: number): PictureSource {
  const ask = <Value>(question: PictureQuestion): Promise<Value> => {
    const call = ++lastCall;
    send({ kind: "ask", id, call, question });
    return new Promise((resolve, reject) => waiting.set(call, { resolve, reject }));
  };
  return {
    ask: (argument) => ask({ method: "ask", argument }),
    columns: (argument) => ask({ method: "columns", argument }),
    document: (argument) => ask({ method: "document", argument }),
    annotations: (argument) => ask({ method: "annotations", argument }),
    whatChanged: (argument) => ask({ method: "whatChanged", argument }),
  };
}

function send(message: MessageOfThread): void {
  port?.postMessage(message);
}
