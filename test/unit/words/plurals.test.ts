import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../src/words/language.ts';
import { pluralIn } from '../../../src/words/phrase.ts';
import { languages, type Words } from '../../../src/words/words.ts';

/** Every count in a sentence has the form that its language needs; the compiler demands a row for each text with a number. */

/** The paths of the texts that are given a number. */
type Counting<Texts, Path extends string = ''> = Texts extends (...given: infer Given) => string
  ? number extends Given[number]
    ? Path
    : never
  : Texts extends string | readonly unknown[]
    ? never
    : {
        [Key in keyof Texts & string]: Counting<Texts[Key], Path extends '' ? Key : `${Path}.${Key}`>;
      }[keyof Texts & string];

/** A count in a text. */
interface Count {
  /** The text for this count. */
  readonly say: (words: Words, count: number) => string;
  /** The languages in which one and many have the same form. */
  readonly same: readonly Language[];
  /** The text names no count for nothing. */
  readonly isNeverZero?: true;
}

/** The counts of a text. */
type Row = readonly Count[];

const count = (say: Count['say'], ...same: readonly Language[]): Count => ({ say, same });

/** The row of a text whose number names something, stands beside its noun ("Members: 1"), or is never one. */
const aside: Row = [];

const texts = {
  'settings.standard': aside,
  'settings.allowances': aside,
  'settings.grants': aside,
  'settings.blocked': aside,
  'settings.words': aside,
  'settings.creditsSet': [count(({ settings }, amount) => settings.creditsSet(amount))],
  'settings.allowanceSet': [count(({ settings }, amount) => settings.allowanceSet('Ann', amount))],
  'settings.roleAllowanceSet': [count(({ settings }, amount) => settings.roleAllowanceSet('Ann', amount))],
  'settings.granted': [count(({ settings }, amount) => settings.granted('Ann', amount, 9))],
  'settings.grantTaken': [count(({ settings }, amount) => settings.grantTaken('Ann', amount))],
  'removal.remaining': aside,
  'removal.blanked': aside,
  'removal.unreachable': aside,
  'removal.unknownPlaces': aside,
  'communityErrors.alias-limit': aside,
  'communityErrors.alias-limit-person': aside,
  'communityErrors.blocked-limit': aside,
  'communityErrors.channels-limit': aside,
  'communityErrors.words-limit': aside,
  'communityErrors.allowances-limit': aside,
  'communityErrors.grants-limit': aside,
  'communityErrors.grant-most': [
    count(({ communityErrors }, amount) => communityErrors['grant-most'](amount, 9)),
  ],
  'communityErrors.credits-limit': [
    count(({ communityErrors }, amount) => communityErrors['credits-limit'](amount)),
  ],
  'approval.members': aside,
  'approval.more': [count(({ approval }, amount) => approval.more(amount))],
  'campaign.unscheduled': [count(({ campaign }, amount) => campaign.unscheduled('fall', amount))],
  'campaign.limit': aside,
  'stats.date': aside,
  credits: [count(({ credits }, amount) => credits(amount))],
  'error.empty': [count(({ error }, amount) => error.empty('prompt', amount), 'de')],
  'error.tooLong': aside,
  'error.notInteger': aside,
  'album.title': aside,
  // An album that costs nothing names no price.
  'album.all': [{ ...count(({ album }, amount) => album.all(9, amount)), isNeverZero: true }],
  'ask.pages': aside,
  'card.position': aside,
  'card.done': [count(({ card }, amount) => card.done('9 s', amount))],
  'card.returned': [count(({ card }, amount) => card.returned(amount))],
  'card.kept': [count(({ card }, amount) => card.kept(amount))],
  'card.spent': [count(({ card }, amount) => card.spent(amount))],
  'jobs.daysAgo': aside,
  'limits.rate': [count(({ limits }, amount) => limits.rate(amount, '9 s'))],
  'limits.waiting': [
    count(({ limits }, amount) => limits.waiting(amount, 9)),
    count(({ limits }, amount) => limits.waiting(9, amount), 'en'),
  ],
  'limits.album': [count(({ limits }, amount) => limits.album(9, amount))],
  'limits.albumLater': aside,
  'limits.allowance': [
    count(({ limits }, amount) => limits.allowance(amount, 9, '9 h')),
    count(({ limits }, amount) => limits.allowance(9, amount, '9 h'), 'en', 'de', 'fr', 'pt'),
  ],
  'limits.communityCeiling': [
    count(({ limits }, amount) => limits.communityCeiling(amount, 9, '9 h')),
    count(({ limits }, amount) => limits.communityCeiling(9, amount, '9 h'), 'en', 'de', 'fr', 'pt'),
  ],
  'usage.mine': aside,
  'usage.reserved': [count(({ usage }, amount) => usage.reserved(amount), 'en')],
  'usage.left': [count(({ usage }, amount) => usage.left(amount))],
  'usage.granted': [count(({ usage }, amount) => usage.granted(amount))],
  'usage.fromGrants': aside,
  'usage.community': [
    count(({ usage }, amount) => usage.community(amount, 9, 9)),
    count(({ usage }, amount) => usage.community(9, amount, 9)),
    count(({ usage }, amount) => usage.community(9, 9, amount)),
  ],
  'usage.ceiling': aside,
  'usage.month': [count(({ usage }, amount) => usage.month(amount))],
  'usage.monthOf': [count(({ usage }, amount) => usage.monthOf(9, amount))],
  'face.limit': aside,
  'face.saves': aside,
  'faceCheck.alt': aside,
  'privacy.erased': [count(({ privacy }, amount) => privacy.erased(amount))],
  'web.tooMany': aside,
  'owner.ceilingUsed': aside,
  'owner.monthUsed': aside,
  'owner.overview.now': aside,
  'owner.overview.today': aside,
  'owner.overview.entry': aside,
  'owner.overview.day': [count(({ owner }, amount) => owner.overview.day(amount))],
  'owner.overview.dayOf': [count(({ owner }, amount) => owner.overview.dayOf(9, amount))],
  'owner.requests.several': [count(({ owner }, amount) => owner.requests.several(amount))],
  'owner.console.figures.jobsDone': [count(({ owner }, amount) => owner.console.figures.jobsDone(amount))],
  'owner.console.figures.credits': [count(({ owner }, amount) => owner.console.figures.credits(amount))],
  'owner.console.figures.calls': [count(({ owner }, amount) => owner.console.figures.calls(amount))],
  'owner.console.communities.waitingInAll': aside,
  'owner.console.actions.whatCredits': [
    count(({ owner }, amount) => owner.console.actions.whatCredits(amount)),
  ],
} satisfies Readonly<Record<Counting<Words>, Row>>;

const COUNTS = [0, 1, 2, 5, 100, 1_000_000];

const counted = Object.entries<Row>(texts).flatMap(([path, row]) => row.map((each) => ({ path, ...each })));
const pairs = LANGUAGES.flatMap((language) => counted.map((each) => ({ language, ...each })));

test.each(pairs)('$path says none, one and many in $language', ({ language, say, same, isNeverZero }) => {
  const words = languages[language];
  /** The text for this count, with `#` for the number itself. */
  const form = (count: number): string => say(words, count).replaceAll(String(count), '#');
  const plural = pluralIn(language);

  expect(form(1) === form(2), 'one and many have the same form').toBe(same.includes(language));

  for (const amount of isNeverZero ? COUNTS.filter((each) => each > 0) : COUNTS)
    expect(form(amount), `for ${amount}`).toBe(plural(amount, form(1), form(2)));
});

test('zero is singular in French and Portuguese, and plural in the others', () => {
  const zeroIn = (language: Language): string => pluralIn(language)(0, 'one', 'many');

  expect(zeroIn('fr')).toBe('one');
  expect(zeroIn('pt')).toBe('one');
  expect(zeroIn('en')).toBe('many');
  expect(zeroIn('de')).toBe('many');
  expect(zeroIn('es')).toBe('many');
});
