import { describe, expect, it } from 'vitest';
import { decimalPrice, moneyText } from '../../../src/words/money.ts';

describe('money', () => {
  it.each([
    { credits: 0, amount: '0.04', expected: '0.00' },
    { credits: 1, amount: '0.04', expected: '0.04' },
    { credits: 3, amount: '0.1', expected: '0.3' },
    { credits: 1_000_000_000, amount: '123456789.123456789', expected: '123456789123456789.000000000' },
    { credits: 7, amount: '12', expected: '84' },
  ])('$credits credits at $amount are $expected, exactly', ({ credits, amount, expected }) => {
    expect(decimalPrice(credits, { amount, currency: 'EUR' })).toBe(expected);
  });

  it('money is written as a language does, and no digit of it is rounded away', () => {
    const price = { amount: '0.045', currency: 'EUR' };
    expect(moneyText(1_000, price, 'en')).toBe('€45.00');
    expect(moneyText(1_001, price, 'de')).toBe('45,045\u00a0€');
    expect(moneyText(12, { amount: '5', currency: 'JPY' }, 'en')).toBe('¥60');
    expect(moneyText(10, { amount: '99999999.99', currency: 'USD' }, 'en')).toBe('$999,999,999.90');
  });
});
