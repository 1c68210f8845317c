type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops fields that are undefined, for `exactOptionalPropertyTypes`. */
export function defined<T extends object>(fields: T): Defined<T> {
  const kept: { [K in keyof T]?: T[K] } = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as Defined<T>;
}
