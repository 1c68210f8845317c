/** Writes a size of a file as a language does, in the megabytes of which platforms' limits are multiples. */
export const megabytes = (bytes: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(
    bytes / 1024 ** 2,
  );
