import { describe, expect, test } from 'vitest';
import { photoFromLink } from '../../../src/command/link.ts';
import type { Options } from '../../../src/command/option.ts';
import { readArguments } from '../../../src/command/read-arguments.ts';
import { languages, wordsFor } from '../../../src/words/words.ts';
import { photo } from '../../fakes/call.ts';

const options = {
  photo: { kind: 'image', description: 'a photo', required: true },
  prompt: { kind: 'text', description: 'a text', max: 10, min: 2 },
  model: { kind: 'choice', description: 'a model', choices: ['fast', 'good'], default: 'fast' },
  amount: { kind: 'integer', description: 'a number', min: 1, max: 20 },
  name: { kind: 'alias', description: 'a name' },
  private: { kind: 'flag', description: 'quiet', default: false },
  user: { kind: 'user', description: 'somebody' },
} as const satisfies Options;

const read = (given: Parameters<typeof readArguments>[1]) =>
  readArguments(options, given, wordsFor('en')).args;

describe('reading arguments', () => {
  test('values get their declared type, and defaults are filled in', () => {
    expect(
      read({ photo, model: ' GOOD ', amount: '7', private: 'On', name: 'Xmas', prompt: ' hi ' }),
    ).toEqual({ photo, model: 'good', amount: 7, private: true, name: 'xmas', prompt: 'hi' });
    expect(read({ photo })).toEqual({ photo, model: 'fast', private: false });
  });

  test.each([
    { given: { photo: 'nothing' }, words: /must be a photo/ },
    { given: { photo: 'http://example.com/a.png' }, words: /public https/ },
    { given: { photo: { from: 'link', url: 'https://10.0.0.1/a.png' } as const }, words: /public https/ },
    { given: { photo, prompt: 'x' }, words: /at least 2 characters/ },
    { given: { photo, prompt: '   ' }, words: /is empty/ },
    { given: { photo, prompt: '\u200b \u2800\u3164' }, words: /is empty/ },
    { given: { photo, prompt: 'far too long for this' }, words: /has 21 characters; at most 10/ },
    { given: { photo, prompt: photo }, words: /is empty/ },
    { given: { photo, model: 'slow' }, words: /fast, good/ },
    { given: { photo, amount: 21 }, words: /from 1 to 20/ },
    { given: { photo, amount: '1.5' }, words: /whole number/ },
    { given: { photo, amount: '1e1' }, words: /whole number/ },
    { given: { photo, private: 'perhaps' }, words: /yes or no/ },
    { given: { photo, name: 'two words' }, words: /a-z, 0-9/ },
    { given: { photo, name: 'x'.repeat(33) }, words: /1 to 32/ },
    { given: { photo, user: 'x'.repeat(101) }, words: /at most 100/ },
  ])('the arguments $given are refused with the rule of the option', ({ given, words }) => {
    expect(() => read(given)).toThrow(words);
  });

  test('a value for an option that does not exist is refused, not dropped', () => {
    expect(() => read({ photo, secret: true })).toThrow('There is no option "secret"');
    expect(() => read({ photo, toString: 'x' })).toThrow('There is no option "toString"');
  });

  test('a refusal quotes the typed text shortened, and counts letters as code points', () => {
    expect(read({ photo, prompt: '👩'.repeat(10) }).prompt).toHaveLength(20);
    expect(() => read({ photo, model: 'x'.repeat(500) })).toThrow(/"x{59}…"/);
  });

  test('required options without a value are reported as missing, and the others are read', () => {
    const { args, missing } = readArguments(options, { amount: '7' }, wordsFor('en'));
    expect(args).toEqual({ model: 'fast', amount: 7, private: false });
    expect(missing).toEqual(['photo']);
    expect(readArguments(options, { photo }, wordsFor('en')).missing).toBeUndefined();
    expect(readArguments({ toString: options.photo }, {}, wordsFor('en')).missing).toEqual(['toString']);
  });

  test('the rule of an option is stated in the caller’s language', () => {
    const said = new Set<string>();
    for (const words of Object.values(languages)) {
      const rule = words.error.notInteger('amount', '99', 1, 20);
      expect(() => readArguments(options, { photo, amount: 99 }, words)).toThrow(rule);
      said.add(rule);
    }
    expect(said.size).toBe(5);
  });
});

describe('links to images', () => {
  test.each([
    'https://example.com/a.jpg',
    'https://cdn.example.co.uk:8443/a?b=c#d',
    ' https://EXAMPLE.com/ ',
  ])('the link %s to an image is public', (link) => {
    expect(photoFromLink(link)?.url).toMatch(/^https:\/\/[a-z.:0-9]+\//);
  });

  test.each([
    'http://example.com/a.jpg',
    'https://user:secret@example.com/a.jpg',
    'https://localhost/a.jpg',
    'https://nas.local/a.jpg',
    'https://x.internal./a.jpg',
    'https://127.0.0.1/a.jpg',
    'https://2130706433/a.jpg',
    'https://0x7f.1/a.jpg',
    'https://8.8.8.8/a.jpg',
    'https://[::1]/a.jpg',
    'https://１２７.０.０.１/a.jpg',
    'javascript:alert(1)',
    'nonsense',
    `https://example.com/${'a'.repeat(2001)}`,
  ])('the link %s to an image is not public', (link) => {
    expect(photoFromLink(link)).toBeUndefined();
  });
});
