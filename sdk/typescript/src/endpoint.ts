import { Page, type PageDocument } from "./page.js";
import { encode, type Query } from "./query.js";
import type { RequestOptions, Sender } from "./request.js";

/** A resource in the body of a request. */
export interface Resource {
  type?: string;
  attributes?: unknown;
  relationships?: Record<string, { data: Identifier }>;
}

/** Refers to a resource. */
export interface Identifier {
  type: string;
  id: string;
}

/** Returns a relationship to one resource. */
export const toOne = (type: string, id: string): { data: Identifier } => ({ data: { type, id } });

/** Returns a resource with a relationship to a person. */
export const ofPerson = (id: string) => ({ relationships: { person: toOne("people", id) } });

/** A path of the API below /v2. */
export class Endpoint {
  constructor(
    protected readonly sender: Sender,
    protected readonly path: string,
  ) {}

  /** Sends a request to a path below this one and returns the data of the response. */
  protected async fetch<T>(method: string, below: string[], data?: unknown, options?: RequestOptions): Promise<T> {
    const body = data === undefined ? undefined : { data };
    return (await this.sender.send<{ data: T } | undefined>(method, this.below(...below), body, options))?.data as T;
  }

  /** Sends a request with resource identifiers of the given type. */
  protected refer(method: string, below: string[], type: string, ids: readonly string[], options?: RequestOptions): Promise<void> {
    return this.fetch<void>(method, below, ids.map((id) => ({ type, id })), options);
  }

  protected below(...segments: string[]): string {
    return [this.path, ...segments.map(encodeURIComponent)].join("/");
  }
}

/** A list. */
export class List<T> extends Endpoint {
  /**
   * Returns the records that the query selects. It requests each page when it is needed, with the
   * link in the previous page, so that it returns each record once even if other records are added
   * or deleted in the meantime. It uses only the query string of the link, so that the API key is
   * never sent to another server.
   */
  async *list(query: Query = {}, options?: Pick<RequestOptions, "signal">): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages(query, options)) yield* page.data;
  }

  /** Like list, but returns the records by page, with the included records and the total. */
  async *pages(query: Query = {}, options?: Pick<RequestOptions, "signal">): AsyncGenerator<Page<T>, void, undefined> {
    for (let next: string | undefined = `?${encode(query)}`; next !== undefined; ) {
      const page: PageDocument<T> = await this.sender.send("GET", this.path + next, undefined, options);
      yield new Page(page);
      next = page.links.next === undefined ? undefined : new URL(page.links.next).search;
    }
  }
}

/** Returns all records of a list. */
export async function collect<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

/** A list whose records can also be read one at a time. */
export class Records<T, Single = T> extends List<T> {
  get(id: string, options?: RequestOptions): Promise<Single> {
    return this.fetch("GET", [id], undefined, options);
  }
}

/** A list whose records can be created, updated and deleted. */
export class Collection<T, New, Changed, Single = T> extends Records<T, Single> {
  create(attributes: New, options?: RequestOptions): Promise<Single> {
    return this.fetch("POST", [], { attributes }, options);
  }

  /** Sets those attributes that are not undefined and returns the updated record. */
  update(id: string, attributes: Changed, options?: RequestOptions): Promise<Single> {
    return this.fetch("PATCH", [id], { attributes }, options);
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.fetch("DELETE", [id], undefined, options);
  }
}
