import type * as model from "./models.gen.js";

/** The resources that lists can include. */
type Includable =
  | model.Activity | model.Assignment | model.Category | model.Coupon | model.Course | model.Group
  | model.Partnership | model.Person | model.Quiz | model.School;

/** The resource with the given type, such as model.Person for "people". */
export type Related<Type extends string> = Extract<Includable, { type: Type }>;

/** The document of a page. */
export interface PageDocument<T> {
  data: T[];
  included?: model.Included;
  meta?: { total?: number };
  links: { next?: string };
}

const key = ({ type, id }: { type: string; id: string }) => `${type} ${id}`;

/** A page of a list. */
export class Page<T> {
  readonly data: T[];
  /** Number of all records of the list; undefined unless the query sets count. */
  readonly total: number | undefined;
  readonly #related = new Map<string, unknown>();

  constructor({ data, included = [], meta }: PageDocument<T>) {
    this.data = data;
    this.total = meta?.total;
    // The API does not repeat the records of data in included, but relationships can refer to them.
    for (const one of [...included, ...data]) this.#related.set(key(one as { type: string; id: string }), one);
  }

  /**
   * Returns the resource to which a relationship refers, such as
   * page.related(row.relationships.person.data). Throws a TypeError if the page does not contain
   * the resource, because the query does not include the relationship.
   */
  related<Type extends Includable["type"]>(to: { type: Type; id: string }): Related<Type> {
    const found = this.#related.get(key(to));
    if (found === undefined) throw new TypeError(`the page does not include the resource ${to.id} of the type ${to.type}`);
    return found as Related<Type>;
  }
}
