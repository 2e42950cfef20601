import { responseError } from "./errors.js";

/** Configures one request. */
export interface RequestOptions {
  /** Aborts the request and its retries. */
  signal?: AbortSignal;
  /**
   * Idempotency key to send with a POST instead of a random one. Within 24 hours, the API executes
   * requests with the same key only once, even if different processes send them.
   */
  idempotencyKey?: string;
}

/** Configures a client. */
export interface Options {
  /** URL of the server, such as https://api.example.test. */
  baseUrl: string;
  /** API key of a school. */
  key: string;
  /** Function that sends the requests; globalThis.fetch by default. */
  fetch?: typeof globalThis.fetch;
  /** Maximum number of retries after 429, 503 or a broken connection; 4 by default. */
  retries?: number;
  /**
   * Maximum wait before a retry, in milliseconds; a minute by default. If the API asks to wait
   * longer, the request fails.
   */
  maxWait?: number;
}

/** Sends requests with the API key of a school. */
export class Sender {
  readonly #base: string;
  readonly #options: Options;

  constructor(options: Options) {
    const { protocol } = new URL(options.baseUrl); // throws if it is not absolute
    if (!/^https?:$/.test(protocol)) throw new TypeError("baseUrl must be an http or https URL");
    if (!options.key) throw new TypeError("key must not be empty");
    this.#base = options.baseUrl.replace(/\/+$/, "");
    this.#options = options;
  }

  /**
   * Sends a request to a path below /v2, with retries, and returns the document of the response, if
   * it has one.
   */
  async send<T>(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<T> {
    const { key, fetch = globalThis.fetch, retries = 4, maxWait = 60_000 } = this.#options;
    const headers: Record<string, string> = { "X-Api-Key": key, Accept: "application/json" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (method === "POST") headers["Idempotency-Key"] = options.idempotencyKey ?? crypto.randomUUID();
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (options.signal) init.signal = options.signal;
    for (let attempt = 1; ; attempt++) {
      const { document, error, final, wait } = await attemptOnce<T>(() => fetch(`${this.#base}/v2/${path}`, init));
      if (error === undefined) return document as T;
      options.signal?.throwIfAborted();
      if (final || attempt > retries || (wait ?? 0) > maxWait) throw error;
      await sleep(wait ?? backoff(attempt), options.signal);
    }
  }
}

/** The result of one attempt. */
interface Outcome<T> {
  document?: T;
  error?: unknown;
  /** Whether the request must not be sent again. */
  final?: boolean;
  /** Milliseconds after which the request can be sent again; if undefined, the client chooses. */
  wait?: number;
}

async function attemptOnce<T>(fetch: () => Promise<Response>): Promise<Outcome<T>> {
  try {
    const response = await fetch();
    if (response.ok) return response.status === 204 ? {} : { document: (await response.json()) as T };
    const error = await responseError(response);
    if (response.status !== 429 && response.status !== 503) return { error, final: true };
    const after = response.headers.get("Retry-After") ?? "";
    return /^[0-9]+$/.test(after) && after !== "0" ? { error, wait: Number(after) * 1000 } : { error };
  } catch (error) {
    return { error }; // the connection broke
  }
}

/**
 * Returns a random number of milliseconds. Its maximum is 250 after the first attempt and doubles
 * with each attempt.
 */
function backoff(attempt: number): number {
  return 250 * 2 ** Math.min(attempt - 1, 10) * (0.5 + Math.random() / 2);
}

/** Waits. If signal is aborted, it stops waiting and throws the reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
