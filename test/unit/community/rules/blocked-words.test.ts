import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockedForm, createBlockedWords } from '../../../../src/community/rules/blocked-words.ts';
import { LONGEST_FORM } from '../../../../src/community/rules/word-finder.ts';

const findBlocked = (text: string, words: readonly string[]): string | undefined =>
  createBlockedWords(words)(text);

describe('blocked words', () => {
  it.each([
    'NUDE',
    'Nüde',
    'n u d e',
    'n.u-d_e',
    'nu d e',
    'n - u - d - e',
    'nud3',
    'n|u|d|e',
    'пudе' /* Cyrillic п and е */,
    'ηυdε' /* Greek */,
    'ΝUDΕ' /* Greek capitals */,
    'ոսdе' /* Armenian */,
    'ｎｕｄｅ',
    'ⓝⓤⓓⓔ',
    '🅽🆄🅳🅴',
    '🇳🇺🇩🇪',
    '𝓷𝓾𝓭𝓮',
    'ɴᴜᴅᴇ',
    'nυđе',
    'n\u200bu\u200bde',
    'n\u3164u\uffa0d\u115fe' /* Korean fillers, which take no room */,
    'n\u00adu\u2060d\ufe0fe',
    'n\u0336u\u0336d\u0336e\u0336',
    'a nude, please',
    '"nude"',
    'nudes',
  ])('"%s" is recognised as the blocked word nude', (text) =>
    expect(findBlocked(text, ['nude'])).toBe('nude'),
  );

  it.each([
    { word: 'kill', text: 'k!ll' },
    { word: 'kill', text: 'k1||' },
    { word: 'sex', text: 's€x' },
    { word: 'boobs', text: 'b00b5' },
    { word: 'tits', text: '7i7s' },
    { word: 'ass', text: 'a$$' },
    { word: 'gun', text: '9un' },
    { word: 'nazi', text: 'na2i' },
    { word: 'c++', text: 'a C++ book' },
    { word: 'a|@', text: 'A|@' },
    { word: 'fuck', text: 'ƒuck' },
    { word: 'æon', text: 'AEON' },
    { word: 'straße', text: 'STRASSE' },
    { word: 'ass', text: 'as s' },
    { word: 'ass', text: 'a $ $' },
    { word: 'hell', text: 'h.e.l.l' },
    { word: 'hell', text: "h'e'l'l" },
    { word: 'hell', text: "what the hell's that" },
    { word: '시발', text: '시 발' },
    { word: 'fuck', text: 'fu ck' },
    { word: 'fuck', text: 'F ck fu CK' },
    { word: 'bitches', text: 'bi tch es' },
  ])('the blocked word "$word" is recognised in "$text"', ({ word, text }) =>
    expect(findBlocked(text, [word])).toBe(word),
  );

  it.each([
    'a denuded hill',
    'nudge',
    'the class passed, a bass, an assassin and grass',
    'in u, de facto not',
    'Sussex and sextant',
    'skill and killer whales',
    'begun 9 unicorns',
    'Scunthorpe',
    'https://example.com/classes?a=1',
    '1 + 1 = 2!',
    'vitamin c and a plan b',
    '',
  ])('"%s" has no blocked word', (text) =>
    expect(findBlocked(text, ['nude', 'ass', 'sex', 'kill', 'gun', 'cunt', 'c++'])).toBeUndefined(),
  );

  it.each([
    { word: 'penis', text: 'the pen is red' },
    { word: 'ass', text: 'a glass set as seen' },
    { word: 'hell', text: "he'll walk, and he’ll run" },
    { word: 'iran', text: 'I ran home' },
    { word: 'ahole', text: 'a hole in the wall' },
    { word: 'nude', text: 'le nu de Rodin' },
    { word: 'shit', text: 'Sh, it is asleep' },
    { word: 'drug', text: 'Dr. Ug and Mr Ug' },
    { word: '시발', text: '다시 발을' },
  ])('the blocked word "$word" does not reach from one word into the next: $text', ({ word, text }) =>
    expect(findBlocked(text, [word])).toBeUndefined(),
  );

  it('blocked numbers are compared as numbers', () => {
    for (const text of ['69', 'a 69!', '（６９）', '𝟔𝟗年'])
      expect(findBlocked(text, ['88', ' 69 ']), text).toBe(' 69 ');
    for (const text of ['gg', '99 balloons', 'page 6, 9 cats', '169', 'BB', 'i.e. a cat'])
      expect(findBlocked(text, ['88', '69', '13']), text).toBeUndefined();
    expect(findBlocked('99', ['gg'])).toBe('gg');
  });

  it('blocked phrases are found, however they are spaced', () => {
    expect(findBlocked('with B1g   f00t!', ['big foot'])).toBe('big foot');
    expect(findBlocked('bigfoot', ['big foot'])).toBe('big foot');
    expect(findBlocked('foot big', ['big foot'])).toBeUndefined();
    expect(findBlocked('a semi nude man', ['semi-nude'])).toBe('semi-nude');
    for (const text of ['St Patrick', 'St. Patrick', 'St.Patrick', 'stpatrick'])
      expect(findBlocked(text, ['st patrick']), text).toBe('st patrick');
  });

  it('a blocked word can contain blanks, so that a split word can be blocked', () => {
    for (const text of ['nu de', 'nude', 'n u d e']) expect(findBlocked(text, ['nu de']), text).toBe('nu de');
    expect(findBlocked('nud e', ['nu de'])).toBeUndefined();
  });

  it('blocked words work in any script', () => {
    expect(findBlocked('это Секрет', ['секрет'])).toBe('секрет');
    expect(findBlocked('只有 猫', ['猫'])).toBe('猫');
    expect(findBlocked('ΝΑΥΣ', ['ναυς'])).toBe('ναυς');
  });

  it.each([
    { word: '裸体', text: '画一个裸体女人' },
    { word: 'ヌード', text: '美しいヌード写真' },
    { word: 'ヌード', text: 'ﾇｰﾄﾞ' },
    { word: '누드', text: '누드화를' },
    { word: 'เปลือย', text: 'ภาพเปลือยสวย' },
  ])('the blocked word $word is found in a script without blanks between words: $text', ({ word, text }) =>
    expect(findBlocked(text, [word])).toBe(word),
  );

  it.each([
    { word: '누드', text: '누들 한 그릇' },
    { word: '裸体', text: '裸の体操' },
  ])('the blocked word $word is not found in $text', ({ word, text }) =>
    expect(findBlocked(text, [word])).toBeUndefined(),
  );

  describe('for the most expensive texts', () => {
    const ligatures = Array.from({ length: 59 }, (_, index) => 'ﬀ'.repeat(index + 1));

    const hostile: readonly { what: string; words: readonly string[]; unit: string }[] = [
      {
        what: 'words of ligatures in ligatures',
        words: [...ligatures, ...ligatures.map((word) => `${word}f`)],
        unit: 'ﬀ',
      },
      {
        what: 'words of ligatures in spaced ligatures',
        words: ligatures.map((word) => `${word}f`),
        unit: 'ﬀ ',
      },
      {
        what: 'words in a script without blanks',
        words: ligatures.map((word) => word.replaceAll('ﬀ', '㍑')),
        unit: '㍑@!Ν',
      },
      {
        what: 'words with blanks in words',
        words: ligatures.map((word) => word.replaceAll('ﬀ', 'to ').slice(0, 60)),
        unit: 'to ',
      },
      {
        what: 'many words',
        words: Array.from({ length: 500 }, (_, index) => `word${index}x`),
        unit: 'lorem ipsum ',
      },
    ];

    const stepsOf = (words: readonly string[], text: string) => {
      let steps = 0;
      const find = createBlockedWords(words, (made) => {
        steps += made;
      });
      return { found: find(text), steps };
    };

    const stepsFor = (words: readonly string[], text: string): number => {
      const longer = words.map((word) => `${word}z`);
      const { found, steps } = stepsOf(longer, text);
      expect(found).toBeUndefined();
      return steps;
    };

    it.each(hostile)(
      'the search for blocked words in an expensive text costs no more than its length: $what',
      ({ words, unit }) => {
        const stepsForLength = (length: number) => stepsFor(words, unit.repeat(length).slice(0, length));
        const one = stepsForLength(500);
        const two = stepsForLength(1000);

        expect(two / one).toBeLessThan(2.2);
        // Six readings of three letters for each that was typed.
        expect(two).toBeLessThanOrEqual(6 * 3 * 1000 * LONGEST_FORM);
      },
    );

    it('a text that is too long for any option is not searched, and does not pass', () => {
      expect(stepsOf(['nude'], 'ﷺ'.repeat(1000))).toEqual({ found: 'nude', steps: 0 });
    });

    it('a blocked word that stands for more letters than a text can have is not compared', () => {
      expect(blockedForm('ﷺ'.repeat(60))).toBe('');
      expect(findBlocked('ﷺ'.repeat(60), ['ﷺ'.repeat(60)])).toBeUndefined();
    });
  });

  it('a blocked word is always found in a text that has it, and nothing when no word is blocked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (word) => {
        expect(findBlocked(word, [])).toBeUndefined();
        expect(findBlocked(`so ${word} there`, [word])).toBe(blockedForm(word) === '' ? undefined : word);
      }),
    );
  });
});
