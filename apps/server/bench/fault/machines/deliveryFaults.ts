import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type IngestReply } from "@hadal/sdk";
import { sendWhile } from "./askWhile.js";
import { batchRows, type FaultyMachines } from "./faultyMachines.js";
import { type MachineFault, ms } from "./machineFault.js";
import { ResettingProxy } from "./resettingProxy.js";

const host = "127.0.0.1";
const batchCount = 30;
const retryCount = 5;
const proxiedMachine = 3;
const proxiedPort = 7_433;

/** A send whose answer is lost `retryCount` times, with restarts of what answers in between. */
async function sendWithRetries(
  cluster: FaultyMachines,
  proxy: ResettingProxy,
  restart: (() => Promise<void>) | null,
): Promise<void> {
  const { body, options, noteAcked } = cluster.nextBatch("replicated");
  const send = (): Promise<IngestReply> => {
    const url = `http://${host}:${proxy.port}`;
    return createClient({ url }).ingestBody("t", body, options);
  };
  proxy.resetsAnswers = true;
  for (let attempt = 0; attempt < retryCount; attempt++) {
    if (attempt === 2) await restart?.();
    const outcome = await send().catch(() => null);
    if (outcome !== null) throw new Error("an answer came although it was to be lost");
  }
  proxy.resetsAnswers = false;
  let first: IngestReply | null = null;
  await cluster.until("an answer", async () => {
    first = await send();
    return true;
  });
  const again = await send();
  if (JSON.stringify(again) !== JSON.stringify(first) || again.accepted !== batchRows)
    throw new Error(`other answers: ${JSON.stringify(first)}, ${JSON.stringify(again)}`);
  noteAcked();
}

export const lostAnswers: MachineFault = async (cluster, say) => {
  const proxy = await ResettingProxy.listen(host);
  const aim = (): void => {
    proxy.targetPort = Number(new URL(cluster.gateway.url).port);
  };
  const restartGateway = async (): Promise<void> => {
    await cluster.stopGateway();
    await cluster.restartGateway();
    aim();
  };
  const killGateway = async (): Promise<void> => {
    await cluster.killGateway();
    await cluster.restartGateway();
    aim();
  };
  const killMachine = async (): Promise<void> => {
    await cluster.kill(2);
    await cluster.restart(2);
  };
  aim();
  try {
    const restarts = [null, restartGateway, null, killGateway, null, killMachine];
    for (let batch = 0; batch < batchCount; batch++)
      await sendWithRetries(cluster, proxy, restarts[batch % restarts.length]!);
  } finally {
    proxy.close();
  }
  const rightMs = await cluster.untilRight();
  say(
    `F22 ${batchCount} sends, the connection reset ${proxy.resetCount} times after the commit, gateway or a machine restarted in between for every other: twice 0, lost 0, the same reply; right after ${ms(rightMs)}`,
  );
};

/** Links of gateway and machines to one of them are reset again and again while rows are sent. */
export const resetLinks: MachineFault = async (cluster, say) => {
  const address = `127.0.0.${proxiedMachine + 1}`;
  const proxy = await ResettingProxy.listen(address);
  proxy.targetPort = proxiedPort;
  await cluster.stop(proxiedMachine);
  await cluster.restart(proxiedMachine, [
    ...["--port", String(proxiedPort), "--advertise", `${address}:${proxy.port}`],
  ]);
  let during = 0;
  try {
    await cluster.untilCopied();
    during = await sendWhile(
      cluster,
      async () => {
        for (let i = 0; i < 100; i++) {
          await sleep(50 + ((i * 37) % 100));
          proxy.resetAll();
        }
      },
      { ack: "durable" },
    );
    const rightMs = await cluster.untilRight();
    say(
      `F22 links to a machine reset ${proxy.resetCount} times while ${during} batches were acknowledged: twice 0, lost 0; right after ${ms(rightMs)}`,
    );
  } finally {
    await cluster.stop(proxiedMachine);
    proxy.close();
    await cluster.restart(proxiedMachine);
  }
};
