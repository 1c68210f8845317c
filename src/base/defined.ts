type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops fields that are undefined, for `exactOptionalPropertyTypes`. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
