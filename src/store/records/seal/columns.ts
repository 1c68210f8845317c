const ESCAPED = 'json:';

/** `text` takes no zero bytes and no half characters, and both can stand in what people send. */
export const storable = (id: string): string =>
  id.isWellFormed() && !id.includes('\0') && !id.startsWith(ESCAPED) ? id : `${ESCAPED}${JSON.stringify(id)}`;

/** What `storable` was given. */
export const original = (column: string): string =>
  column.startsWith(ESCAPED) ? String(JSON.parse(column.slice(ESCAPED.length))) : column;
