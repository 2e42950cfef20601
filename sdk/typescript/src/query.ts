/** The operand of a predicate. */
export type Value = string | number | boolean | Date;

/** Conditions on one attribute, all of which must hold. */
export interface Predicates {
  eq?: Value;
  not_eq?: Value;
  in?: readonly Value[];
  not_in?: readonly Value[];
  cont?: string;
  not_cont?: string;
  start?: string;
  end?: string;
  lt?: Value;
  lteq?: Value;
  gt?: Value;
  gteq?: Value;
  null?: boolean;
}

/**
 * Conditions on attributes, such as {course_count: {gteq: 1}}, all of which must hold. The
 * attributes of related records have names such as "person.id". The members "and" and "or" contain
 * further filters. Members that are undefined are ignored, but at least one condition must remain.
 */
export type Filter = { and?: readonly Filter[] | undefined; or?: readonly Filter[] | undefined } & {
  [attribute: string]: Predicates | readonly Filter[] | undefined;
};

/** Selects and orders the records of a list. */
export interface Query {
  filter?: Filter;
  /** Words that must occur in the fields that the list searches. */
  search?: string;
  /** Attributes; a hyphen reverses the order, as in -created_at. */
  sort?: readonly string[];
  /** Number of records per request, at most 1,000; 100 by default. */
  pageSize?: number;
  /**
   * Relationships whose resources each page includes, such as "course.categories"; see
   * Page.related.
   */
  include?: readonly string[];
  /** Attributes and relationships to return, by resource type; all others are undefined. */
  fields?: Readonly<Record<string, readonly string[]>>;
  /** Whether pages have a total. The server then counts all matching records for each page. */
  count?: boolean;
}

/** Encodes the query as the query string of a URL. */
export function encode({ filter, search, sort, pageSize = 100, include, fields = {}, count }: Query): string {
  const parameters = new URLSearchParams({ limit: String(pageSize) });
  if (search !== undefined) parameters.set("q", search);
  if (sort?.length) parameters.set("sort", sort.join(","));
  if (include?.length) parameters.set("include", include.join(","));
  for (const [type, names] of Object.entries(fields)) parameters.set(`fields[${type}]`, names.join(","));
  if (count) parameters.set("count", "true");
  if (filter) addFilter("filter", filter, parameters);
  return parameters.toString();
}

function addFilter(prefix: string, filter: Filter, to: URLSearchParams): void {
  for (const [name, inner] of members(prefix, filter)) {
    const path = `${prefix}[${name}]`;
    if (name === "and" || name === "or") addGroup(path, inner as readonly Filter[], to);
    else addPredicates(path, inner as Predicates, to);
  }
}

function addGroup(path: string, filters: readonly Filter[], to: URLSearchParams): void {
  const elements = members(path, filters);
  for (const [index, filter] of elements) {
    addFilter(`${path}[${index}]`, filter as Filter, to);
  }
}

function addPredicates(path: string, predicates: Predicates, to: URLSearchParams): void {
  for (const [name, value] of members(path, predicates)) {
    if (!Array.isArray(value)) to.append(`${path}[${name}]`, text(path, value));
    else for (const [, one] of members(`${path}[${name}]`, value)) to.append(`${path}[${name}][]`, text(path, one));
  }
}

/**
 * Returns the entries of a part of a filter, without undefined members. If no entry remains, it
 * throws a TypeError, because a part without conditions would match every record.
 */
function members(path: string, part: unknown): [string, unknown][] {
  const all = typeof part === "object" && part !== null ? Object.entries(part) : [];
  const entries = Array.isArray(part) ? all : all.filter(([, value]) => value !== undefined);
  if (entries.length === 0) throw new TypeError(`${path} has no conditions`);
  return entries;
}

function text(path: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (["string", "number", "boolean"].includes(typeof value)) return String(value);
  throw new TypeError(`${path} has the value ${String(value)}`);
}
