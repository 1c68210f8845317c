import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockedForm, findBlocked } from '../../../src/community/blocked-words.ts';

describe('blocked words', () => {
  it.each([
    'nude',
    'NUDE',
    'Nüde',
    'n u d e',
    'n.u-d_e',
    'nu de',
    'nud3',
    'пude'.replace('п', 'n'),
    'nudе' /* Cyrillic е */,
    'ｎｕｄｅ',
    'n\u200bu\u200bde',
    'a nude, please',
    'nudes',
  ])('"%s" is seen as nude', (text) => expect(findBlocked(text, ['nude'])).toBe('nude'));

  it.each(['a denuded hill', 'nudge', 'the class passed', 'in u, de facto not', ''])(
    '"%s" is left alone',
    (text) => expect(findBlocked(text, ['nude', 'ass'])).toBeUndefined(),
  );

  it('finds phrases, however they are spaced', () => {
    expect(findBlocked('with B1g   f00t!', ['big foot'])).toBe('big foot');
    expect(findBlocked('bigfoot', ['big foot'])).toBe('big foot');
    expect(findBlocked('foot big', ['big foot'])).toBeUndefined();
  });

  it('works in any script', () => {
    expect(findBlocked('это Секрет', ['секрет'])).toBe('секрет');
    expect(findBlocked('只有 猫', ['猫'])).toBe('猫');
  });

  it('always finds the word itself, and nothing when no word is blocked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (word) => {
        expect(findBlocked(word, [])).toBeUndefined();
        expect(findBlocked(`so ${word} there`, [word])).toBe(blockedForm(word) === '' ? undefined : word);
      }),
    );
  });
});
