import { HadalError, type Problem } from "../model/problem/problem.js";

/** HTTP with one server. Every failure is a HadalError. */
export interface Http {
  readonly url: string;
  request(path: string, init?: RequestInit): Promise<Response>;
  requestJson(path: string, init?: RequestInit): Promise<unknown>;
  /** The answer's JSON body and its headers. */
  requestAnswer(
    path: string,
    init?: RequestInit,
  ): Promise<{ readonly body: unknown; readonly headers: Headers }>;
  requestBytes(path: string, init?: RequestInit): Promise<Uint8Array>;
}

/** A failed answer, with the server's Retry-After in milliseconds. */
export class HttpError extends HadalError {
  readonly retryAfterMs: number | null;

  constructor(error: HadalError, retryAfterMs: number | null) {
    super(error.code, {}, error.errors, error.members);
    this.message = error.message;
    this.retryAfterMs = retryAfterMs;
  }
}

export function createHttp(url: string, fetchOfCaller: typeof fetch): Http {
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    let response: Response;
    try {
      response = await fetchOfCaller(url + path, init);
    } catch (cause) {
      throw connectionError(url, init.signal, cause);
    }
    if (response.ok) return response;
    throw new HttpError(await decodeProblem(response, url), retryAfterMs(response, Date.now()));
  };
  const requestAnswer: Http["requestAnswer"] = async (path, init = {}) => {
    const response = await request(path, init);
    try {
      return { body: await response.json(), headers: response.headers };
    } catch (cause) {
      if (cause instanceof SyntaxError) {
        throw new HadalError("bad-request", {
          detail: `${url}${path} did not answer with JSON: is it Hadal?`,
        });
      }
      throw connectionError(url, init.signal, cause);
    }
  };
  const requestJson: Http["requestJson"] = async (path, init) =>
    (await requestAnswer(path, init)).body;
  const requestBytes = async (path: string, init: RequestInit = {}): Promise<Uint8Array> => {
    const response = await request(path, init);
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw connectionError(url, init.signal, cause);
    }
  };
  return { url, request, requestJson, requestAnswer, requestBytes };
}

/** Retry-After in milliseconds; the header holds seconds or a date. */
function retryAfterMs(response: Response, nowMs: number): number | null {
  const text = response.headers.get("retry-after");
  if (text === null || text.trim() === "") return null;
  const seconds = Number(text);
  const waitMs = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * 1_000;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

function connectionError(
  url: string,
  signal: AbortSignal | null | undefined,
  cause: unknown,
): HadalError {
  const error = signal?.aborted
    ? new HadalError("cancelled")
    : new HadalError("connection-lost", { url });
  error.cause = cause;
  return error;
}

async function decodeProblem(response: Response, url: string): Promise<HadalError> {
  const text = await response.text().catch(() => "");
  try {
    const problem = JSON.parse(text) as Partial<Problem> | null;
    if (typeof problem?.code === "string" && typeof problem.detail === "string") {
      return HadalError.fromProblem(problem as Problem);
    }
  } catch {
    // The answer of a proxy, not of Hadal: only its status is used.
  }
  const { status } = response;
  const error = new HadalError(
    status === 429
      ? "overloaded"
      : status >= 502
        ? "connection-lost"
        : status === 404
          ? "not-found"
          : "bad-request",
    { url },
  );
  error.message = `${url} answered HTTP ${status}${text === "" ? "" : `: ${text.slice(0, 200)}`}`;
  return error;
}
