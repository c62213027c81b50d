import { lookup as lookUp } from "node:dns/promises";
import { request as requestPlain } from "node:http";
import { type RequestOptions, request as requestTls } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type AddressRange, isInRanges, specialKind } from "./addressRanges.js";
import { type EgressAnswer, readAnswer } from "./egressAnswer.js";
import { hostOf, parseEgressUrl, refused } from "./egressUrl.js";

/** From looking up the name to the last byte of the answer (RELIABILITY, C9). */
const timeoutMsDefault = 5_000;

export interface EgressOptions {
  /** Of `--webhooks-allow`: addresses that may be sent to although they are not public. */
  readonly allowed: readonly AddressRange[];
  /** The addresses of a name; the system's own unless it is given. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  readonly timeoutMs?: number;
}

export interface EgressRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends to addresses that people wrote down. A name is looked up once, all of its addresses are
 * checked, and only these are dialled: a name that means something else a moment later gains nothing.
 * Redirects are not followed.
 */
export class Egress {
  readonly #allowed: readonly AddressRange[];
  readonly #lookup: (name: string) => Promise<readonly string[]>;
  readonly #timeoutMs: number;

  constructor({ allowed, lookup = systemLookup, timeoutMs = timeoutMsDefault }: EgressOptions) {
    this.#allowed = allowed;
    this.#lookup = lookup;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * For an address that is about to be saved. Rejects with `egress-refused`, and connects to nothing. A
   * name without an address is accepted: it may be known when a message is sent.
   */
  async check(text: string): Promise<void> {
    const url = parseEgressUrl(text);
    const addresses = await inTime(
      this.#addressesOf(url),
      AbortSignal.timeout(this.#timeoutMs),
    ).catch(() => []);
    this.#refuseSpecial(url, addresses);
  }

  /**
   * Posts, and resolves with any answer. Rejects with `egress-refused` where the address may not be sent to, and
   * with an Error where there is no answer in time.
   */
  async post({ url: text, headers, body }: EgressRequest): Promise<EgressAnswer> {
    const url = parseEgressUrl(text);
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const addresses = await inTime(this.#addressesOf(url), signal);
    this.#refuseSpecial(url, addresses);
    if (addresses.length === 0) throw new Error(`${url.hostname} has no address`);
    const bytes = Buffer.from(body);
    return exchange(url, bytes, {
      method: "POST",
      headers: { ...headers, "content-length": String(bytes.length) },
      signal,
      // A connection of its own: one that is kept could be of an earlier address.
      agent: false,
      lookup: answerWith(addresses),
    });
  }

  async #addressesOf(url: URL): Promise<readonly string[]> {
    const host = hostOf(url);
    return isIP(host) === 0 ? this.#lookup(host) : [host];
  }

  /** One special address among several is enough: which one is dialled may be chosen by whoever owns the name. */
  #refuseSpecial(url: URL, addresses: readonly string[]): void {
    for (const address of addresses) {
      const kind = specialKind(address);
      if (kind === null || isInRanges(address, this.#allowed)) continue;
      const host = hostOf(url);
      const shown = address === host ? "It" : address;
      throw refused(`${shown} is ${kind}; --webhooks-allow opens such addresses.`, url);
    }
  }
}

async function systemLookup(name: string): Promise<readonly string[]> {
  const found = await lookUp(name, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Addresses that were checked, in place of another look-up. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, done) => {
    if (options.all) return done(null, found);
    const [first = { address: "", family: 4 }] = found;
    done(null, first.address, first.family);
  };
}

function exchange(url: URL, body: Buffer, options: RequestOptions): Promise<EgressAnswer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestTls : requestPlain;
    const request = send(url, options);
    let isAnswered = false;
    // What happens to the connection later is part of the answer.
    request.on("error", (error) => isAnswered || reject(inWords(error)));
    request.on("response", (response) => {
      isAnswered = true;
      readAnswer(response)
        .then(resolve, reject)
        .finally(() => request.destroy());
    });
    request.end(body);
  });
}

/** A look-up cannot be stopped, only left. */
function inTime<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(inWords(signal.reason)), { once: true });
    work.then(resolve, reject);
  });
}

const isTimeout = (error: Error): boolean =>
  error.name === "AbortError" || error.name === "TimeoutError";

function inWords(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  return isTimeout(error) ? new Error("it did not answer in time", { cause: error }) : error;
}
