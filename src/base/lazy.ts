/** An object whose fields are made when they are used. */
export function lazily<T extends object>(makers: { readonly [Name in keyof T]: () => T[Name] }): T {
  const made = Object.create(null);
  for (const name in makers) Object.defineProperty(made, name, { get: makers[name] });
  return made;
}

/** `base` with more fields. A spread would make all that is lazy; what is lazy can be hidden, but not assigned to. */
export const extended = <Base extends object, More extends object>(base: Base, more: More): Base & More =>
  Object.create(base, Object.getOwnPropertyDescriptors(more));
