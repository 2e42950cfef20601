import type { Error as Fault } from "./models.gen.js";

export type { Fault };

/** A response with a status of 400 or more. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";

  constructor(
    readonly status: number,
    /** The errors in the response; empty if the body is not an error document of the API. */
    readonly errors: readonly Fault[],
    /** ID of the request in the log of the server. */
    readonly requestId: string | undefined,
  ) {
    const details = errors.map((fault) => [part(fault), fault.detail].filter(Boolean).join(": "));
    super([`${status}`, details.join("; ")].filter(Boolean).join(": "));
  }
}

/**
 * Returns the JSON pointer, parameter or header that the fault concerns, or undefined if there is
 * none.
 */
export function part({ source }: Fault): string | undefined {
  return source.pointer ?? source.parameter ?? source.header;
}

/** Returns the error of a response. */
export async function responseError(response: Response): Promise<ResponseError> {
  let errors: Fault[] = [];
  try {
    errors = ((await response.json()) as { errors?: Fault[] }).errors ?? [];
  } catch {
    // The body is not JSON; it may come from a proxy.
  }
  return new ResponseError(response.status, errors, response.headers.get("X-Request-Id") ?? undefined);
}
