/** Why nothing more is taken, while `isOverloaded`; logged once each time that this begins. */
export function createOverloadCheck(
  reason: string,
  isOverloaded: () => boolean,
  warn: (reason: string) => void,
): () => string | undefined {
  let wasOverloaded = false;
  return () => {
    const isNew = !wasOverloaded;
    wasOverloaded = isOverloaded();
    if (!wasOverloaded) return undefined;
    if (isNew) warn(reason);
    return reason;
  };
}
