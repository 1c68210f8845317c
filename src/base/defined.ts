type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the fields that are undefined: what is optional is there, or it is not. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
