/** What a credit costs the owner. */
export interface Price {
  /** A decimal number such as `0.04`, as it was written. */
  readonly amount: string;
  /** The code of ISO 4217, such as `EUR`. */
  readonly currency: string;
}

/** A number as text, which `Intl.NumberFormat` formats digit by digit. */
type Decimal = `${number}`;

const isDecimal = (text: string): text is Decimal => /^\d+(?:\.\d+)?$/.test(text);

const digitsAfterPoint = ({ amount }: Price): number => amount.split('.')[1]?.length ?? 0;

/** The exact price of so many credits, as a decimal number. Computed in whole numbers, because binary fractions round. */
export function decimalPrice(credits: number, price: Price): Decimal {
  const digits = digitsAfterPoint(price);
  const parts = BigInt(Math.round(credits)) * BigInt(price.amount.replace('.', ''));
  const text = String(parts).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const decimal = digits === 0 ? whole : `${whole}.${text.slice(-digits)}`;
  if (!isDecimal(decimal)) throw new RangeError('not a number of credits that can be paid for');
  return decimal;
}

/** Writes the exact price of so many credits as a language does; no digit of it is rounded away. */
export function moneyText(credits: number, price: Price, locale: string): string {
  const { currency } = price;
  const least = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions();
  const digits = {
    maximumFractionDigits: Math.max(least.maximumFractionDigits ?? 0, digitsAfterPoint(price)),
  };
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(
    decimalPrice(credits, price),
  );
}
