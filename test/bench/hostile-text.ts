/**
 * What reading, checking, searching, escaping and logging text costs at worst, beside an ordinary line, in one run. Each
 * reader gets the longest text that reaches it, made of nothing but one unit, for each of the units; the dearest is
 * shown. CPU time of this thread.
 *
 *   npm run bench -- hostile-text
 */
import { commands } from '../../commands/index.ts';
import { escapeText } from '../../src/adapters/discord/outgoing/render/escape.ts';
import { writeLines } from '../../src/adapters/discord/outgoing/render/lines.ts';
import { inert } from '../../src/adapters/telegram/outgoing/neutralize.ts';
import { render, TEXT_LIMIT } from '../../src/adapters/telegram/outgoing/render.ts';
import type { CatalogEntry } from '../../src/command/ports.ts';
import { refuseTooLongTexts } from '../../src/command/read-arguments.ts';
import type { ListName } from '../../src/command/request.ts';
import { complete } from '../../src/command/search/complete.ts';
import { parseLine } from '../../src/command/text/grammar.ts';
import { createKnownNames } from '../../src/community/catalog/known-names.ts';
import { createBlockedWords } from '../../src/community/rules/blocked-words.ts';
import { createRedactor } from '../../src/log/redact.ts';
import { wordsFor } from '../../src/words/words.ts';

const ordinary = 'an astronaut on the moon, golden light, looking at the earth far away';
const units = (
  "a|1|,|.|-|:|/|<|[|'|a |1 |e e |a-|ab+|a.|1.1.|:a|/a|a=1 |k='a |@a|http://|a://b|bearer |bot1:|ﬀ|㍑|ﷺ|한|漢|👩|" +
  'ß|@!Ν|\u200b|\u0301|\u0f73\u0f75\u0f81|\u0e31|to |goldn midnigt |neon '
).split('|');

const vocabulary =
  'neon golden midnight velvet pop art noir water colour halloween lantern pirate crew vapor wave retro sun ocean forest'.split(
    ' ',
  );
let seed = 1;
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
  return seed % below;
};
const entries: readonly CatalogEntry[] = Array.from({ length: 10_000 }, (_, at) => ({
  reference: String(at + 1),
  name: Array.from({ length: 2 + random(3) }, () => vocabulary[random(vocabulary.length)]).join(' '),
  model: 'face',
}));
const list = (name: ListName): readonly CatalogEntry[] => (name === 'face' ? entries : []);
const memory = createKnownNames(
  { peek: list, load: async (name) => list(name), start: () => () => undefined },
  { of: () => [], beside: () => [], load: async () => undefined },
);
const words = wordsFor('en');
const options = commands.find(({ name }) => name === 'faceswap')?.action?.options ?? {};
const grammar = {
  commands,
  words,
  known: () => false,
  resembles: (_: unknown, phrase: string) => memory.resembles('c', phrase),
};
const ligatures = Array.from({ length: 59 }, (_, at) => 'ﬀ'.repeat(at + 1));
const isBlocked = createBlockedWords([...ligatures, ...ligatures.map((word) => `${word}f`)]);
const scrub = createRedactor(['a-secret-of-the-owner', '123456:another-secret-of-the-owner']);

const search = (prompt: string): void => {
  try {
    refuseTooLongTexts(options, { prompt }, words);
    isBlocked(prompt);
  } catch {
    // Refused in words.
  }
};

const suggest = (typed: string): unknown => {
  const about = {
    options,
    option: 'filter',
    typed,
    given: {},
    community: 'c',
    faces: [],
    channels: [],
    words,
  };
  return complete(about, memory, commands, async () => ({ recent: [], used: [] }), 25);
};

const parse = (line: string): void => {
  try {
    parseLine(line, [], grammar);
  } catch {
    // Refused in words.
  }
};

interface Reader {
  readonly what: string;
  /** The most characters that reach it. */
  readonly most: number;
  readonly read: (text: string) => unknown;
}

const readers: readonly Reader[] = [
  { what: 'a line of Telegram', most: 4_096, read: (text) => parse(`/faceswap ${text}`) },
  { what: 'a prompt, searched for 118 blocked words', most: 1_000, read: search },
  { what: 'a prompt that is too long', most: 4_096, read: search },
  { what: 'a keystroke over 10,000 filters', most: 13, read: suggest },
  { what: 'the same, after pasting', most: 200, read: suggest },
  { what: 'text for Discord', most: 6_000, read: escapeText },
  {
    what: 'a message for Discord',
    most: 6_000,
    read: (text) => writeLines({ tone: 'info', title: text, lines: [text] }, 2_000),
  },
  { what: 'text for Telegram', most: 4_096, read: inert },
  {
    what: 'a message for Telegram',
    most: 4_096,
    read: (text) => render({ tone: 'info', title: text, lines: [text] }, TEXT_LIMIT),
  },
  { what: 'a line of the log', most: 20_000, read: scrub },
];

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Repeated until it took long enough for the clock of the CPU, which ticks every few milliseconds. */
const cost = (read: Reader['read'], text: string, enoughMs: number): number => {
  const before = cpuMs();
  for (let run = 1; ; run += 1) {
    read(text);
    const took = cpuMs() - before;
    if (took > enoughMs) return took / run;
  }
};

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

process.stdout.write(
  '| | characters | ordinary line ms | worst ms | ratio | made of |\n|---|---:|---:|---:|---:|---|\n',
);
for (const { what, most, read } of readers) {
  for (let run = 0; run < 200; run += 1) read(ordinary);
  const usual = cost(read, ordinary, 200);
  const texts = units.flatMap((unit) => {
    const all = unit.repeat(most);
    return [all.slice(0, most), `x${all.slice(0, most - 2)}!`].map((text) => ({ unit, text }));
  });
  const [dearest] = texts
    .map((each) => ({ ...each, took: cost(read, each.text, 20) }))
    .sort((one, other) => other.took - one.took);
  const worst = { unit: dearest?.unit, took: cost(read, dearest?.text ?? '', 200) };
  const ratio = worst.took / usual;
  process.stdout.write(
    `| ${what} | ${most} | ${usual.toFixed(3)} | ${ms(worst.took)} | ${ratio.toFixed(0)} | ${JSON.stringify(worst.unit)} |\n`,
  );
}
