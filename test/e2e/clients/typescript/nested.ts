/** Returns the query of nested parameters: {filter: {name: {start: "A"}}} is filter[name][start]=A. */
export function nested(parameters: Record<string, unknown>): string {
  const query = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return;
    if (typeof value !== "object" || value === null) return query.append(name, String(value));
    for (const [key, inner] of Object.entries(value)) {
      const several = Array.isArray(value) && typeof inner !== "object"; // filter[id][in][]=…
      add(several ? `${name}[]` : `${name}[${key}]`, inner);
    }
  };
  for (const [name, value] of Object.entries(parameters)) add(name, value);
  return query.toString();
}
