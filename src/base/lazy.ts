/** Makes objects whose fields are made, of what the object was made of, whenever they are used. */
export function lazily<T extends object, Sources extends readonly unknown[]>(
  makers: {
    readonly [Name in keyof T]: (...sources: Sources) => T[Name];
  },
): (...sources: Sources) => T {
  const source = Symbol();
  const fields = Object.create(null);
  for (const name in makers)
    Object.defineProperty(fields, name, {
      get(this: Record<symbol, Sources>) {
        return makers[name](...(this[source] as Sources));
      },
    });
  return (...of) => ({ __proto__: fields, [source]: of }) as unknown as T;
}

/**
 * `base` with more fields. What is lazy stays so, and can be hidden, but not assigned to. The prototype is shared: an object that
 * becomes the prototype of another costs V8 more than copying its few own fields.
 */
export const extended = <Base extends object, More extends object>(base: Base, more: More): Base & More =>
  ({ __proto__: Object.getPrototypeOf(base), ...base, ...more }) as unknown as Base & More;
