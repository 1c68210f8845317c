export const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value has the shape of a UUID. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID_SHAPE.test(value);
