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
    ['/faceswap 12 female', { filter: '12', gender: 'female' }],
    ['/faceswap FEMALE 12', { filter: '12', gender: 'FEMALE' }],
    ['/faceswap@DarkroomBot 12 female', { filter: '12', gender: 'female' }],
    ['/faceswap Pop Art boy', { filter: 'Pop Art', gender: 'boy' }],
    ['/faceswap boy pop art square', { filter: 'pop art', gender: 'boy', ratio: 'square' }],
    ['/faceswap haloween', { filter: 'haloween' }],
    ['/faceswap Popp Art boy', { filter: 'Popp Art', gender: 'boy' }],
    ['/groupswap the royla cuort stylized', { style: 'the royla cuort', look: 'stylized' }],
    ['/faceswap "Popp Art"', { prompt: 'Popp Art' }],
    ['/faceswap prompt=Popp Art', { prompt: 'Popp Art' }],
    ['/faceswap a pop art painting', { prompt: 'a pop art painting' }],
    [`/faceswap ${uuid}`, { filter: uuid }],
    ['/faceswap a pirate king', { prompt: 'a pirate king' }],
    ['/faceswap filter=12 Gender=Male RATIO=square', { filter: '12', gender: 'Male', ratio: 'square' }],
    ['/faceswap 12 male v5 private', { filter: '12', gender: 'male', engine: 'v5', private: true }],
    ['/faceswap 12 male private=no', { filter: '12', gender: 'male', private: 'no' }],
    ['/faceswap 12 v6.1 male', { filter: '12', quality: 'v6.1', gender: 'male' }],
    [
      '/groupswap the royal court stylized yes',
      { style: 'the royal court', look: 'stylized', outpaint: 'yes' },
    ],
    ['/groupswap 3 outpaint', { style: '3', outpaint: true }],
    ['/animate the camera drifts left 8s', { prompt: 'the camera drifts left', duration: '8s' }],
    ['/animate performance 16:9 waves roll', { model: 'performance', aspect: '16:9', prompt: 'waves roll' }],
    ['/animate waves 8s crash', { prompt: 'waves crash', duration: '8s' }],
    ['/animate a simple zoom in', { prompt: 'a simple zoom in' }],
    ['/animate prompt="a slow zoom" 6s', { prompt: 'a slow zoom', duration: '6s' }],
    ['/animate prompt=“a slow zoom” model=simple', { prompt: 'a slow zoom', model: 'simple' }],
    ['/animate „langsam“', { prompt: 'langsam' }],
    ["/faceswap filter='Pop Art' boy", { filter: 'Pop Art', gender: 'boy' }],
    ['/faceswap gender=boy prompt=‘the girl’s own hat’', { gender: 'boy', prompt: 'the girl’s own hat' }],
    ["/animate prompt='tis the season 6s", { prompt: "'tis the season", duration: '6s' }],
    ["/animate 'tis the girls' night", { prompt: "'tis the girls' night" }],
    ['/faceswap filter＝12 gender＝male', { filter: '12', gender: 'male' }],
    ['/faceswap --filter=12 —gender=male', { filter: '12', gender: 'male' }],
    ['/faceswap filter:12 gender:male', { filter: '12', gender: 'male' }],
    ['/animate prompt:"a slow zoom" aspect:16:9', { prompt: 'a slow zoom', aspect: '16:9' }],
    ['/animate a sign says:"open" -- a door', { prompt: 'a sign says:"open" -- a door' }],
    ['\u200f/faceswap \u200e12\u200e male\u200f', { filter: '12', gender: 'male' }],
    ['/animate prompt="never closed', { prompt: 'never closed' }],
    ['/animate speed=fast and x=1', { prompt: 'speed=fast and x=1' }],
    ['/faceswap filter = 12 gender =female', { filter: '12', gender: 'female' }],
    ['/animate prompt = "a slow zoom" model= simple', { prompt: 'a slow zoom', model: 'simple' }],
    ['/animate prompt= model=simple', { prompt: '', model: 'simple' }],
    ['/animate e = mc2 on a blackboard', { prompt: 'e = mc2 on a blackboard' }],
    ['/animate it says "hello you" twice', { prompt: 'it says hello you twice' }],
    ['/animate', {}],
    ['/animate\nline one\nline two', { prompt: 'line one line two' }],
    ['/animate a dog barks and she says yes', { prompt: 'a dog barks and she says yes' }],
    ['/animate on a beach the lights go on 8s', { prompt: 'on a beach the lights go on', duration: '8s' }],
    ['/animate prompt=the answer is yes', { prompt: 'the answer is yes' }],
    ['/animate prompt="she nods" yes', { prompt: 'she nods', private: 'yes' }],
    ['/animate simple zoom to the left', { prompt: 'zoom to the left', model: 'simple' }],
    ['/animate waves roll performance 16:9', { prompt: 'waves roll', model: 'performance', aspect: '16:9' }],
    ['/animate performance "waves crash"', { prompt: 'waves crash', model: 'performance' }],
    ['/animate waves crash private no', { prompt: 'waves crash', private: 'no' }],
    ['/faceswap female a viking queen', { prompt: 'a viking queen', gender: 'female' }],
    ['/faceswap a viking queen landscape', { prompt: 'a viking queen', ratio: 'landscape' }],
    ['/faceswap a witch of halloween girl', { prompt: 'a witch of halloween', gender: 'girl' }],
    ['/faceswap an astronaut of Apollo 11', { prompt: 'an astronaut of Apollo 11' }],
    ['/faceswap 12 a king', { filter: '12', prompt: 'a king' }],
    ['/faceswap a king #12', { filter: '#12', prompt: 'a king' }],
    [`/faceswap a king ${uuid}`, { filter: uuid, prompt: 'a king' }],
    ['/groupswap a band on stage stylized', { prompt: 'a band on stage', look: 'stylized' }],
    ['/groupswap 3 outpaint no', { style: '3', outpaint: 'no' }],
    ['/groupswap outpaint 1', { style: '1', outpaint: true }],
    ['/faceswap 12, female, square', { filter: '12', gender: 'female', ratio: 'square' }],
    ['/faceswap pop art, boy', { filter: 'pop art', gender: 'boy' }],
    ['/faceswap filter=12, gender=female; private', { filter: '12', gender: 'female', private: true }],
    ['/animate waves, wind, 8s', { prompt: 'waves, wind,', duration: '8s' }],
    ['/filters realistic royal', { model: 'realistic', search: 'royal' }],
    ['/filters search="pop art" model=face', { model: 'face', search: 'pop art' }],
    ['/help /faceswap', { command: '/faceswap' }],
    ['/alias create Halloween Neon', { name: 'Halloween', filter: 'Neon' }],
    ['/alias create xmas Neon Nights face', { name: 'xmas', filter: 'Neon Nights', model: 'face' }],
    // Refused by what it is, not for what is made of its parts.
    ['/alias create Bad_Name! Candy Pop', { name: 'Bad_Name!', filter: 'Candy Pop' }],
    [`/alias create ${uuid} xmas`, { name: 'xmas', filter: uuid }],
    ['/alias repoint halloween filter="Neon Nights"', { name: 'halloween', filter: 'Neon Nights' }],
    ['/ALIAS LIST', {}],
    ['/settings block @bob too much spam', { user: '@bob', reason: 'too much spam' }],
    ['/settings block "Bob Smith" spam', { user: 'Bob Smith', reason: 'spam' }],
    ['/settings banword very bad', { word: 'very bad' }],
  ])('the text "%s" is read as a command', (line, expected) => {
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

  test('words that fit no option are refused', () => {
    expect(() => read('/usage please now')).toThrow(/please now/);
    expect(() => read('/alias list everything')).toThrow(/everything/);
    // Quoted back shortened, and no character is cut in two.
    expect(() => read(`/usage ${'a'.repeat(59)}😀😀`)).toThrow(/a"|a…"/u);
  });

  test.each([
    ['/faceswap 12 gendr=female', /no option "gendr".*gender/],
    ['/animate a zoom modle=simple', /no option "modle".*model/],
    ['/faceswap 12 size=large', /no option "size"/],
    ['/transition a morph Model=simple', /no option "Model"/],
    ['/usage verbose=yes', /no option "verbose"/],
    ['/faceswap 12 female male', /"male" is not expected/],
    ['/faceswap filter=12 13', /"13" is not expected/],
    ['/faceswap filter=12 filter=13', /"filter" is given twice/],
  ])('%s is refused rather than paid for', (line, words) => {
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
