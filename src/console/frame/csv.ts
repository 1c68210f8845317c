/** Begins a cell that spreadsheets would take for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** One cell: a text that looks like a formula begins with an apostrophe, and every text is quoted. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

/** Writes rows as CSV (RFC 4180), which spreadsheets open without running anything of it. */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
