import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { actionIn } from '../../../../src/command/command.ts';
import { UserError } from '../../../../src/command/errors.ts';
import { comparableName } from '../../../../src/command/search/comparable-name.ts';
import { isTypo } from '../../../../src/command/search/fuzzy.ts';
import { type Grammar, parseLine, readCommandLine } from '../../../../src/command/text/grammar.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { photo, photo2, uuid } from '../../../fakes/call.ts';

const names = ['halloween', 'pop art', 'the royal court'];

const grammar: Grammar = {
  commands,
  words: wordsFor('en'),
  known: (option, phrase) => option.kind === 'reference' && names.includes(comparableName(phrase)),
  resembles: (option, phrase) =>
    option.kind === 'reference' && names.some((name) => isTypo(comparableName(phrase), name)),
};

const read = (text: string, ...photos: (typeof photo)[]) => {
  const line = readCommandLine(text, commands);
  return line && parseLine(line, photos, grammar);
};

const given = (text: string, ...photos: (typeof photo)[]) => read(text, ...photos)?.given;

describe('the text grammar', () => {
  test.each([
    { line: '/faceswap 12 female', expected: { filter: '12', gender: 'female' } },
    { line: '/faceswap FEMALE 12', expected: { filter: '12', gender: 'FEMALE' } },
    { line: '/faceswap@DarkroomBot 12 female', expected: { filter: '12', gender: 'female' } },
    { line: '/faceswap Pop Art boy', expected: { filter: 'Pop Art', gender: 'boy' } },
    { line: '/faceswap boy pop art square', expected: { filter: 'pop art', gender: 'boy', ratio: 'square' } },
    { line: '/faceswap haloween', expected: { filter: 'haloween' } },
    { line: '/faceswap Popp Art boy', expected: { filter: 'Popp Art', gender: 'boy' } },
    { line: '/groupswap the royla cuort stylized', expected: { style: 'the royla cuort', look: 'stylized' } },
    { line: '/faceswap "Popp Art"', expected: { prompt: 'Popp Art' } },
    { line: '/faceswap prompt=Popp Art', expected: { prompt: 'Popp Art' } },
    { line: '/faceswap a pop art painting', expected: { prompt: 'a pop art painting' } },
    { line: `/faceswap ${uuid}`, expected: { filter: uuid } },
    { line: '/faceswap a pirate king', expected: { prompt: 'a pirate king' } },
    {
      line: '/faceswap filter=12 Gender=Male RATIO=square',
      expected: { filter: '12', gender: 'Male', ratio: 'square' },
    },
    {
      line: '/faceswap 12 male v5 private',
      expected: { filter: '12', gender: 'male', engine: 'v5', private: true },
    },
    { line: '/faceswap 12 male private=no', expected: { filter: '12', gender: 'male', private: 'no' } },
    { line: '/faceswap 12 v6.1 male', expected: { filter: '12', quality: 'v6.1', gender: 'male' } },
    {
      line: '/groupswap the royal court stylized yes',
      expected: { style: 'the royal court', look: 'stylized', outpaint: 'yes' },
    },
    { line: '/groupswap 3 outpaint', expected: { style: '3', outpaint: true } },
    {
      line: '/animate the camera drifts left 8s',
      expected: { prompt: 'the camera drifts left', duration: '8s' },
    },
    {
      line: '/animate performance 16:9 waves roll',
      expected: { model: 'performance', aspect: '16:9', prompt: 'waves roll' },
    },
    { line: '/animate waves 8s crash', expected: { prompt: 'waves crash', duration: '8s' } },
    { line: '/animate a simple zoom in', expected: { prompt: 'a simple zoom in' } },
    { line: '/animate prompt="a slow zoom" 6s', expected: { prompt: 'a slow zoom', duration: '6s' } },
    {
      line: '/animate prompt=“a slow zoom” model=simple',
      expected: { prompt: 'a slow zoom', model: 'simple' },
    },
    { line: '/animate „langsam“', expected: { prompt: 'langsam' } },
    { line: "/faceswap filter='Pop Art' boy", expected: { filter: 'Pop Art', gender: 'boy' } },
    {
      line: '/faceswap gender=boy prompt=‘the girl’s own hat’',
      expected: { gender: 'boy', prompt: 'the girl’s own hat' },
    },
    { line: "/animate prompt='tis the season 6s", expected: { prompt: "'tis the season", duration: '6s' } },
    { line: "/animate 'tis the girls' night", expected: { prompt: "'tis the girls' night" } },
    { line: '/faceswap filter＝12 gender＝male', expected: { filter: '12', gender: 'male' } },
    { line: '/faceswap --filter=12 —gender=male', expected: { filter: '12', gender: 'male' } },
    { line: '/faceswap filter:12 gender:male', expected: { filter: '12', gender: 'male' } },
    {
      line: '/animate prompt:"a slow zoom" aspect:16:9',
      expected: { prompt: 'a slow zoom', aspect: '16:9' },
    },
    { line: '/animate a sign says:"open" -- a door', expected: { prompt: 'a sign says:"open" -- a door' } },
    { line: '\u200f/faceswap \u200e12\u200e male\u200f', expected: { filter: '12', gender: 'male' } },
    { line: '/animate prompt="never closed', expected: { prompt: 'never closed' } },
    { line: '/animate speed=fast and x=1', expected: { prompt: 'speed=fast and x=1' } },
    { line: '/faceswap filter = 12 gender =female', expected: { filter: '12', gender: 'female' } },
    {
      line: '/animate prompt = "a slow zoom" model= simple',
      expected: { prompt: 'a slow zoom', model: 'simple' },
    },
    { line: '/animate prompt= model=simple', expected: { prompt: '', model: 'simple' } },
    { line: '/animate e = mc2 on a blackboard', expected: { prompt: 'e = mc2 on a blackboard' } },
    { line: '/animate it says "hello you" twice', expected: { prompt: 'it says hello you twice' } },
    { line: '/animate', expected: {} },
    { line: '/animate\nline one\nline two', expected: { prompt: 'line one line two' } },
    { line: '/animate a dog barks and she says yes', expected: { prompt: 'a dog barks and she says yes' } },
    {
      line: '/animate on a beach the lights go on 8s',
      expected: { prompt: 'on a beach the lights go on', duration: '8s' },
    },
    { line: '/animate prompt=the answer is yes', expected: { prompt: 'the answer is yes' } },
    { line: '/animate prompt="she nods" yes', expected: { prompt: 'she nods', private: 'yes' } },
    { line: '/animate simple zoom to the left', expected: { prompt: 'zoom to the left', model: 'simple' } },
    {
      line: '/animate waves roll performance 16:9',
      expected: { prompt: 'waves roll', model: 'performance', aspect: '16:9' },
    },
    { line: '/animate performance "waves crash"', expected: { prompt: 'waves crash', model: 'performance' } },
    { line: '/animate waves crash private no', expected: { prompt: 'waves crash', private: 'no' } },
    { line: '/faceswap female a viking queen', expected: { prompt: 'a viking queen', gender: 'female' } },
    {
      line: '/faceswap a viking queen landscape',
      expected: { prompt: 'a viking queen', ratio: 'landscape' },
    },
    {
      line: '/faceswap a witch of halloween girl',
      expected: { prompt: 'a witch of halloween', gender: 'girl' },
    },
    { line: '/faceswap an astronaut of Apollo 11', expected: { prompt: 'an astronaut of Apollo 11' } },
    { line: '/faceswap 12 a king', expected: { filter: '12', prompt: 'a king' } },
    { line: '/faceswap a king #12', expected: { filter: '#12', prompt: 'a king' } },
    { line: `/faceswap a king ${uuid}`, expected: { filter: uuid, prompt: 'a king' } },
    {
      line: '/groupswap a band on stage stylized',
      expected: { prompt: 'a band on stage', look: 'stylized' },
    },
    { line: '/groupswap 3 outpaint no', expected: { style: '3', outpaint: 'no' } },
    { line: '/groupswap outpaint 1', expected: { style: '1', outpaint: true } },
    { line: '/faceswap 12, female, square', expected: { filter: '12', gender: 'female', ratio: 'square' } },
    { line: '/faceswap pop art, boy', expected: { filter: 'pop art', gender: 'boy' } },
    {
      line: '/faceswap filter=12, gender=female; private',
      expected: { filter: '12', gender: 'female', private: true },
    },
    { line: '/animate waves, wind, 8s', expected: { prompt: 'waves, wind,', duration: '8s' } },
    { line: '/filters realistic royal', expected: { model: 'realistic', search: 'royal' } },
    { line: '/filters search="pop art" model=face', expected: { model: 'face', search: 'pop art' } },
    { line: '/help /faceswap', expected: { command: '/faceswap' } },
    { line: '/alias create Halloween Neon', expected: { name: 'Halloween', filter: 'Neon' } },
    {
      line: '/alias create xmas Neon Nights face',
      expected: { name: 'xmas', filter: 'Neon Nights', model: 'face' },
    },
    // A name that is refused later is read as one word, so that the refusal is about the whole of it.
    { line: '/alias create Bad_Name! Candy Pop', expected: { name: 'Bad_Name!', filter: 'Candy Pop' } },
    { line: `/alias create ${uuid} xmas`, expected: { name: 'xmas', filter: uuid } },
    {
      line: '/alias repoint halloween filter="Neon Nights"',
      expected: { name: 'halloween', filter: 'Neon Nights' },
    },
    { line: '/ALIAS LIST', expected: {} },
    { line: '/settings block @bob too much spam', expected: { user: '@bob', reason: 'too much spam' } },
    { line: '/settings block "Bob Smith" spam', expected: { user: 'Bob Smith', reason: 'spam' } },
    { line: '/settings banword very bad', expected: { word: 'very bad' } },
  ])('the text "$line" is read as a command', ({ line, expected }) => {
    expect(given(line)).toEqual(expected);
  });

  test('a subcommand is read from the first word only', () => {
    expect(read('/alias show halloween')?.subcommand).toBe('show');
    expect(() => read('/alias halloween show')).toThrow(/create, list, show, repoint, delete/);
    expect(() => read('/alias constructor')).toThrow(UserError);
  });

  test('photos go to the image options in their order', () => {
    expect(given('/transition morph them', photo, photo2)).toEqual({
      first: photo,
      last: photo2,
      prompt: 'morph them',
    });
    expect(given('/animate the sea', photo, photo2)).toEqual({ prompt: 'the sea', photo });
  });

  test('several photos are an album where each can make a job', () => {
    const album = { from: 'album', photos: [photo, photo2] };
    expect(given('/faceswap 12', photo, photo2)).toEqual({ filter: '12', photo: album });
    expect(given('/groupswap 3 classic', photo, photo2)).toMatchObject({ photo: album });

    const many = Array.from({ length: 12 }, () => photo);
    expect(given('/faceswap 12', ...many)).toMatchObject({ photo: { photos: many.slice(0, 10) } });
  });

  test('a link is a photo if one is missing, and text otherwise', () => {
    const link = 'https://example.com/me.jpg';
    expect(given(`/faceswap ${link} 12`)).toEqual({ photo: link, filter: '12' });
    expect(given(`/animate photo=${link} waves`)).toEqual({ photo: link, prompt: 'waves' });
    expect(given(`/animate waves ${link} crash`)).toEqual({ photo: link, prompt: 'waves crash' });
    expect(given(`/animate like ${link} please`, photo)).toEqual({ photo, prompt: `like ${link} please` });
  });

  test('words of a typed line that fit no option are refused', () => {
    expect(() => read('/usage please now')).toThrow(/please now/);
    expect(() => read('/alias list everything')).toThrow(/everything/);
    // Quoted back shortened, and no character is cut in two.
    expect(() => read(`/usage ${'a'.repeat(59)}😀😀`)).toThrow(/a"|a…"/u);
  });

  test.each([
    { line: '/faceswap 12 gendr=female', words: /no option "gendr".*gender/ },
    { line: '/animate a zoom modle=simple', words: /no option "modle".*model/ },
    { line: '/faceswap 12 size=large', words: /no option "size"/ },
    { line: '/transition a morph Model=simple', words: /no option "Model"/ },
    { line: '/usage verbose=yes', words: /no option "verbose"/ },
    { line: '/faceswap 12 female male', words: /"male" is not expected/ },
    { line: '/faceswap filter=12 13', words: /"13" is not expected/ },
    { line: '/faceswap filter=12 filter=13', words: /"filter" is given twice/ },
  ])('the text "$line" is refused rather than paid for', ({ line, words }) => {
    expect(() => read(line, photo)).toThrow(words);
  });

  test.each(['hello', '', '/ faceswap', '/etc/passwd', 'see /faceswap', '//'])(
    'the text %j is no command',
    (line) => {
      expect(read(line)).toBeUndefined();
    },
  );

  test('a misspelt command gets the nearest ones', () => {
    expect(() => read('/faceswp 12')).toThrow(/\/faceswap/);
    expect(() => read('/zzzzzz')).toThrow(/\/help/);
    expect(() => read('/9lives')).toThrow(/\/help/);
  });

  test('the grammar throws only a UserError, whatever the text', () => {
    const name = fc.constantFrom(...commands.map((command) => command.name), 'nonsense');
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '"',
        '“',
        '=',
        'prompt=',
        'filter=',
        '12',
        'female',
        'show',
        '__proto__=1',
        'constructor',
        uuid,
      ),
    );

    fc.assert(
      fc.property(name, fc.array(piece, { maxLength: 8 }), (command, pieces) => {
        const line = `/${command} ${pieces.join(' ')}`;
        try {
          const parsed = read(line, photo);
          const action = parsed && actionIn(parsed.command, parsed.subcommand);
          for (const option of Object.keys(parsed?.given ?? {}))
            expect(Object.keys(action?.options ?? {})).toContain(option);
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a quoted prompt arrives as it was written', () => {
    const text = fc
      .string({ minLength: 1, maxLength: 60 })
      .filter((each) => !/["“”]/.test(each) && each.trim() === each);
    fc.assert(
      fc.property(text, (prompt) => {
        expect(given(`/animate prompt="${prompt}"`)).toEqual({ prompt });
      }),
    );
  });
});
