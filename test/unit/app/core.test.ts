/** Rules that only the whole core keeps, tried without platforms: credits, approvals, repeated events, erasure, prices. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { createRetryAfterLoss } from '../../../src/app/retry-after-loss.ts';
import type { Given } from '../../../src/command/option.ts';
import type { Caller } from '../../../src/command/place.ts';
import type { Reply } from '../../../src/command/reply.ts';
import type { View } from '../../../src/command/view.ts';
import { createFaceFinder } from '../../../src/faces/finder.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { eventually, holds } from '../../eventually.ts';
import { buttonsOf, textOf, viewText } from '../../fakes/call.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { createTestCore, type TestCore, type TestCoreOptions } from '../../fakes/core.ts';
import { samplePhoto } from '../../fakes/sample-photo.ts';
import { soleMember } from '../../fakes/sole-member.ts';

let core: TestCore;

const open = async (options: TestCoreOptions = {}): Promise<void> => {
  core = await createTestCore(options);
};

afterEach(() => core.close());

const person = (platform: Caller['platform'], id: string, name = `Person ${id}`): Caller => ({
  platform,
  id,
  name,
  locale: 'en',
});

const photo = { from: 'telegram', ref: 'photo' } as const;
const swap: Given = { photo, filter: '3', gender: 'female' };
const room = { platform: 'web', community: 'web:room', channel: 'room', direct: false } as const;
let events = 0;
const from = (id: string) => ({ caller: person('web', id), place: room, event: `event-${++events}` });
const jobOf = (reply: Reply): string => (reply.kind === 'card' ? reply.job : expect.fail(textOf(reply)));
const prompted = (prompt: string) => ({ command: 'faceswap', given: { photo, prompt, gender: 'female' } });

describe('what moderators give one person in a day, and what only owners change', () => {
  const home = 'telegram:-1';
  const moved = 'telegram:-1001';

  beforeEach(() =>
    open({
      owners: ['telegram:9'],
      isModerator: async ({ id }) => id === '2',
      env: { USER_DAILY_CREDITS: '2', USER_MAX_DAILY_CREDITS: '10' },
    }),
  );

  afterEach(() => expect(core.errors).toEqual([]));

  const ann = '1';
  const mod = '2';
  const owner = '9';

  const says = (id: string, line: string, given: Given = {}, community = home): Promise<string> =>
    core.says(person('telegram', id), community, line, given);

  const swaps = async (count: number, community = home): Promise<void> => {
    for (let jobs = 0; jobs < count; jobs += 1)
      expect(await says(ann, 'faceswap', swap, community)).toBe('a card');
  };

  const swapOnce = () => says(ann, 'faceswap', swap);

  const grant = (by: string, amount: number, community = home) =>
    says(by, 'settings grant', { user: ann, amount }, community);

  const allow = (by: string, amount?: number) =>
    says(by, 'settings allowance', { who: ann, ...(amount === undefined ? {} : { amount }) });

  const more = (rest: number): RegExp => new RegExp(`You can give this person ${rest} credits? more today`);
  const ownersOnly = 'only owners can change it';

  it('moderators give one person no more than the maximum in a day, however it is spent or taken back', async () => {
    expect(await grant(mod, 10)).toContain('Left of all grants: 10');

    await swaps(6);
    expect(await swapOnce()).toContain('you have 0 left');
    expect(await grant(mod, 1)).toMatch(more(0));
    // A grant by an owner is not counted.
    expect(await grant(owner, 3)).toContain('Left of all grants: 3');
    expect(await grant(mod, 0)).toContain('3 credits');
    expect(await grant(mod, 1)).toMatch(more(0));
    expect(await says(mod, 'settings credits', { amount: 11 })).toContain('at most 10 credits a day');
    expect(await allow(mod, 11)).toContain('at most 10 credits a day');
  });

  it('the maximum of a day includes the allowance that moderators gave, and not the owner’s', async () => {
    await allow(mod, 7);
    expect(await grant(mod, 4)).toMatch(more(3));
    expect(await grant(mod, 3)).toContain('Left of all grants: 3');

    await allow(owner, 50);
    expect(await grant(mod, 8)).toMatch(more(7));
    expect(await grant(mod, 7)).toContain('Left of all grants: 10');
    expect(await says(ann, 'usage')).toContain('of 50 credits');
  });

  it('an allowance that is raised after grants is cut for the day, and one that was used stays given', async () => {
    await grant(mod, 8);
    await allow(mod, 10);
    expect(await says(ann, 'usage')).toMatch(/You used 0 of 2 credits[\s\S]*8 credits granted/);

    await swaps(5);
    expect(await swapOnce()).toContain('you have 0 left');

    await allow(mod);
    expect(await grant(mod, 1)).toContain('Left of all grants: 1');

    await grant(mod, 0);
    await allow(mod, 0);
    // The two credits of the owner's default are not theirs any more.
    expect(await grant(mod, 1)).toMatch(more(0));
  });

  it('credits that moderators gave count after a group became a supergroup', async () => {
    await allow(mod, 4);
    await swaps(1);
    await grant(mod, 5);
    await core.rules.move(home, moved);

    expect(await grant(mod, 2, moved)).toMatch(more(1));
    expect(await says(ann, 'usage', {}, moved)).toMatch(/used 2 of 4[\s\S]*5 credits granted/);

    await swaps(3, moved);
    expect(await says(ann, 'faceswap', swap, moved)).toContain('you have 1 left');
    expect(await grant(mod, 2, moved)).toMatch(more(1));
    expect(await says(ann, 'usage', {}, home)).toContain('1 credit granted');
  });

  it('credits that moderators gave under a group’s new id before the bot knew of it count, too', async () => {
    await grant(mod, 5);
    await grant(mod, 4, moved);
    await core.migrated(home, moved);

    expect(await says(ann, 'usage', {}, moved)).toContain('9 credits granted');
    expect(await grant(mod, 2, moved)).toMatch(more(1));
  });

  it('moderators give no more than the daily credits that an owner set', async () => {
    expect(await says(owner, 'settings credits', { amount: 3 })).toContain('3 credits a day');
    expect(await says(mod, 'settings credits', { amount: 9 })).toContain(ownersOnly);
    expect(await allow(mod, 4)).toContain('at most 3 credits a day');
    expect(await grant(mod, 4)).toMatch(more(3));
    expect(await grant(mod, 3)).toContain('Left of all grants: 3');
    expect(await grant(mod, 1)).toMatch(more(0));
    expect(await allow(owner, 20)).toContain('20 credits a day');
    expect(await allow(mod)).toContain(ownersOnly);

    const shown = await says(mod, 'settings show');
    expect(shown).toContain(`Daily credits of each person: 3 (set by an owner of this bot; ${ownersOnly})`);
    expect(shown).toContain(`: 20 (set by an owner of this bot; ${ownersOnly})`);
  });

  it('an owner’s pause is shown as theirs, and ended by owners alone', async () => {
    await says(mod, 'settings pause', { reason: 'lunch' });
    expect(await says(mod, 'settings show')).toContain('Paused: lunch');

    await says(owner, 'settings pause', { reason: 'abuse' });
    expect(await says(mod, 'settings resume')).toContain(ownersOnly);
    expect(await says(mod, 'settings pause', { reason: 'lunch' })).toContain(ownersOnly);

    const told = 'Paused by an owner of this bot, and only owners can resume it: abuse';
    expect(await says(mod, 'settings show')).toContain(told);
    expect(await swapOnce()).toContain('abuse');

    await says(owner, 'settings resume');
    await swaps(1);
  });
});

describe('where communities need an approval', () => {
  const { unapproved } = wordsFor('en').gate;
  const owner = person('discord', '1', 'Olga');
  const ann = person('telegram', '5', 'Ann');
  let said: { readonly to: string; readonly view: View }[];

  beforeEach(async () => {
    said = [];
    await open({
      owners: ['discord:1', 'telegram:9'],
      communities: 'approved',
      isModerator: async () => true,
      say: async (to, view) => {
        said.push({ to: 'caller' in to ? to.caller.id : to.place.channel, view });
        return { state: 'drawn' };
      },
    });
  });

  const uses = (caller: Caller, community: string) => core.says(caller, community, 'faceswap', swap);

  const decide = (what: 'approve' | 'revoke', community: string) =>
    core.says(owner, 'discord:dm:1', `settings ${what}`, { community });

  const notices = () => said.filter(({ view }) => view.buttons !== undefined);

  /** A group asks to use the bot, and its notice reaches all owners; `press` is a press of one of them on a button of it. */
  const asked = async () => {
    expect(await uses(ann, 'telegram:-7')).toBe(unapproved);
    await eventually(() => notices().length === 3, 'all owners');
    const buttons = (notices()[0]?.view.buttons ?? []).flat();
    const place = { platform: 'discord', community: 'discord:dm:1', channel: '1', direct: true } as const;
    const press = async (label: string): Promise<string> => {
      const { action } =
        buttons.find((button) => button.label === label) ?? expect.fail(`no button ${label}`);
      return textOf(await core.desk.press({ event: `press ${label}`, caller: owner, place, action }));
    };
    return { press };
  };

  it('an owner on one platform approves a community of another, once, with one line in its trail', async () => {
    const { press } = await asked();
    expect(await press('Approve')).toContain('Approved by Olga.');
    expect(await press('Approve')).toContain('Approved by Olga.');
    expect(notices().map(({ to }) => to)).toEqual(['1', '9', 'ida']);
    expect(await core.latest('telegram:-7')).toBe('discord:1 settings.approve');

    const welcomes = () => said.filter(({ to, view }) => to === '-7' && viewText(view).includes('approved'));
    await eventually(() => welcomes().length === 1, 'the welcome');
    expect(await uses(ann, 'telegram:-7')).toBe('a card');
    expect(welcomes()).toHaveLength(1);
  });

  it('Not now is decided once and audited', async () => {
    const { press } = await asked();
    expect(await press('Not now')).toContain('Olga decided: not now.');
    // The second press is by somebody who still saw the buttons.
    expect(await press('Approve')).toContain('Olga decided: not now.');
    expect(await core.latest('telegram:-7')).toBe('discord:1 settings.approve.dismissed');
    expect(await uses(ann, 'telegram:-7')).toBe(unapproved);
  });

  it.each(['web:-5', 'telegram:1', 'telegram:dm:-5', 'discord:abc', 'club', 'x'.repeat(60)])(
    'only communities can be approved, and %s is none',
    async (wrong) => {
      expect(await decide('approve', wrong)).toContain('cannot be approved');
    },
  );

  it('a community that is approved is welcomed in its language', async () => {
    expect(await uses(ann, 'telegram:-8')).toBe(unapproved);

    await core.rules.set('telegram:-8', 'language', 'de');
    await eventually(() => notices().length > 0, 'the notice');
    await decide('approve', 'telegram:-8');
    const { welcome } = wordsFor('de').approval;
    await eventually(
      () => said.some(({ to, view }) => to === '-8' && viewText(view) === welcome),
      'a welcome',
    );
  });

  it('owners pass everywhere, a playground room waits for approval, too, and a direct chat is a community of its own', async () => {
    expect(await uses(owner, 'discord:77')).toBe('a card');

    const visitor = person('web', '5');
    expect(await uses(visitor, 'web:studio')).toBe(unapproved);
    expect(await decide('approve', 'web:studio')).toContain('web:studio is approved');
    expect(await uses(visitor, 'web:studio')).toBe('a card');

    await decide('approve', 'telegram:-7');
    expect(await uses(ann, 'telegram:-7')).toBe('a card');
    expect(await uses(ann, 'telegram:dm:5')).toBe(unapproved);
    expect(await core.says(ann, 'telegram:-8', 'settings pause')).toBe(unapproved);
    expect(core.errors).toEqual([]);
  });

  it('a revoked approval ends the use at once, and each decision is confirmed', async () => {
    expect(await decide('approve', 'telegram:-7')).toContain('telegram:-7 is approved');
    expect(await decide('approve', 'telegram:-7')).toContain('was approved already');
    expect(await decide('revoke', 'telegram:-7')).toContain('is no longer approved');
    expect(await decide('revoke', 'telegram:-7')).toContain('was not approved');
    expect(await uses(ann, 'telegram:-7')).toBe(unapproved);
    // A command that names no community is about the one where it is given.
    expect(await core.says(owner, 'discord:77', 'settings approve')).toContain('discord:77 is approved');
  });
});

it.each([
  { env: { USER_JOBS_PER_MINUTE: '2' }, words: 'You sent more than 2 requests within a minute.' },
  { env: { USER_CONCURRENT_JOBS: '1', USER_WAITING_JOBS: '1' }, words: 'at most 1 can wait' },
])(
  'one person has no more jobs at once and in a minute than the owner allows: $env',
  async ({ env, words }) => {
    await open({ env });
    const asks = (id: string) => core.says(person('web', id), room.community, 'faceswap', swap);
    expect(await asks('ann')).toBe('a card');
    expect(await asks('ann')).toBe('a card');
    expect(await asks('bob')).toBe('a card');
    expect(await asks('ann')).toContain(words);
  },
);

it('erasing a person removes their audit lines, but not those of moderators', async () => {
  const gone: string[] = [];
  await open({ isModerator: async ({ id }) => id === 'mod', forget: async ({ id }) => void gone.push(id) });

  const other = jobOf(await core.desk.command({ ...from('bob'), ...prompted('a red balloon') }));
  await core.desk.press({ ...from('mod'), action: `cancel:${other}` });
  await core.says(person('web', 'mod'), 'web:room', 'settings banword', { word: 'kraken' });
  await core.desk.command({ ...from('ann'), ...prompted('a secret garden') });
  const erase = async (id: string): Promise<void> => {
    const page = await core.desk.command({ ...from(id), command: 'privacy', given: {} });
    const action = buttonsOf(page)[0]?.action ?? '';
    expect(action).toMatch(/^erase:/);
    await core.desk.press({ ...from(id), action: `${action}:yes` });
  };

  // A prompt is in nobody's trail: it is kept longer than the job, and others read it.
  const before = await core.state(['web:room']);

  expect(before).toContain('"actor":"web:ann","action":"job"');
  expect(before).not.toMatch(/secret garden|red balloon/);

  await erase('ann');
  expect(gone).toEqual(['ann']);

  const left = await core.state(['web:room']);
  expect(left).not.toContain('web:ann');
  expect(left).toContain('"actor":"web:bob","action":"job"');

  await erase('mod');
  const trail = await core.state(['web:room']);
  expect(trail).toContain('settings.banword');
  expect(trail).toContain('moderator.cancel');
});

describe('what somebody has sent before they delete all their data, and what is still being handled then', () => {
  /** Ann sends this, whose photo comes slowly, and deletes her data meanwhile. */
  const deletesMeanwhile = async (sent: {
    readonly command: string;
    readonly subcommand?: string;
    given: Given;
  }) => {
    let photos = 0;
    const asked = Promise.withResolvers<void>();
    const photoOf = Promise.withResolvers<Buffer>();
    await open({
      store: await openSqliteStore({ path: ':memory:', keys: [Buffer.alloc(32, 1)] }),
      finder: createFaceFinder(),
      async photo() {
        photos += 1;
        if (photos === 2) asked.resolve();
        return photoOf.promise;
      },
    });
    const answered = core.desk.command({ ...from('ann'), ...sent });
    const ofBob = core.desk.command({ ...from('bob'), ...sent });
    await asked.promise;
    const page = await core.desk.command({ ...from('ann'), command: 'privacy', given: {} });
    await core.desk.press({ ...from('ann'), action: `${buttonsOf(page)[0]?.action}:yes` });
    photoOf.resolve(await samplePhoto('portrait'));
    return { answered: await answered, ofBob: await ofBob };
  };

  it('a command that is being handled while its person deletes their data makes no job', async () => {
    const { answered, ofBob } = await deletesMeanwhile(prompted('a secret garden'));
    expect(answered.kind).toBe('message');
    expect(ofBob.kind).toBe('card');
    expect(textOf(answered)).toContain('Deleted');

    const state = await core.state(['web:room']);
    expect(state).not.toContain('web:ann');
    expect(state).toContain('web:bob');
  });

  it('a command that is being handled while its person deletes their data leaves no question', async () => {
    const { answered, ofBob } = await deletesMeanwhile({
      command: 'groupswap',
      given: { photo, prompt: 'a band' },
    });
    expect(textOf(answered)).toContain('Deleted');
    expect(textOf(ofBob)).toContain('Only one face');
  });

  it('a command that is being handled while its person deletes their data saves no face', async () => {
    const given = { name: 'me', photo };
    const { answered, ofBob } = await deletesMeanwhile({ command: 'face', subcommand: 'save', given });
    expect(textOf(answered)).toContain('Deleted');
    expect(textOf(ofBob)).toContain('is saved');

    const faces = (id: string) =>
      core.desk.command({ ...from(id), command: 'face', subcommand: 'list', given: {} });

    expect(textOf(await faces('ann'))).toContain('none yet');
    expect(textOf(await faces('bob'))).toContain('me · default');
  });
});

describe('an event that comes again', () => {
  let choices: string[];

  beforeEach(async () => {
    await open();
    const given = { photo, gender: 'female' };
    const question = await core.desk.command({ ...from('ann'), command: 'faceswap', given });
    choices = buttonsOf(question).map(({ action }) => action);
  });

  /** Ann presses one of the choices of the question, the first one if nothing else is said. */
  const press = (event: string, action = choices[0]) =>
    core.desk.press({ ...from('ann'), event, action: action ?? expect.fail('the question has no buttons') });

  it('two simultaneous answers to one question make one job and one card', async () => {
    const replies = await Promise.all([press('one', choices[0]), press('other', choices[1])]);
    expect(replies.map(({ kind }) => kind).toSorted()).toEqual(['card', 'told-before']);
  });

  it('an answer that is repeated after a crash gets the card, and after that it is stale', async () => {
    const job = jobOf(await press('one'));
    const text =
      'This has already been started, but its card has not been shown yet. If it does not appear within a few minutes, try again.';
    // Another press does not make it stale before its card is shown.
    expect(await press('other')).toEqual({ kind: 'told-before', text });
    expect(await press('one')).toMatchObject({ kind: 'card', job, again: true });

    await core.desk.cardShown(job, { platform: 'web', ref: 'card' });
    expect(textOf(await press('third'))).toMatch(/no longer valid/);
    expect(core.errors).toEqual([]);
  });

  it('an accepted job gets its card although the community was paused or the person blocked since', async () => {
    const job = jobOf(await press('one'));
    await core.rules.pause(room.community, 'lunch');
    await core.rules.block(room.community, 'web:ann', 'spam');

    expect(await press('one')).toMatchObject({ kind: 'card', job, again: true, replaces: true });

    const refused = await core.desk.command({ ...from('ann'), ...prompted('a portrait') });
    expect(refused).toMatchObject({ view: { tone: 'failed' } });
  });

  it('a repeated command gets the card of its job, although a word in it is blocked since', async () => {
    const command = { ...from('ann'), ...prompted('a zebra') };

    const job = jobOf(await core.desk.command(command));
    await core.rules.banWord(room.community, 'zebra');

    expect(await core.desk.command(command)).toMatchObject({ kind: 'card', job, again: true });
  });

  it('a press in a list of jobs does not turn the list into a card', async () => {
    const job = jobOf(await press('one'));
    const jobs = await core.desk.command({ ...from('ann'), command: 'jobs', given: {} });
    const action = buttonsOf(jobs).find(({ label }) => label.includes('Cancel'))?.action ?? '';
    const pressed = { platform: 'web', ref: 'a list' } as const;
    const reply = await core.desk.press({ ...from('ann'), action, pressed });

    expect(reply).toMatchObject({ kind: 'note', text: 'Cancelled.' });
    expect(await core.state([], job)).not.toContain('a list');
  });
});

describe('a store that loses its connection', () => {
  const cut = new Error('the connection was cut');
  const isConnectionLoss = (error: unknown): boolean => error === cut;

  /** Opens a core whose store fails after each of the first `failures` jobs was written. */
  const openFailing = async (failures: number, error: Error): Promise<void> => {
    let writes = 0;
    await open({
      shared: { members: soleMember, isConnectionLoss },
      async onDisk() {
        writes += 1;
        if (writes <= failures) throw error;
      },
    });
  };

  const command = () => core.desk.command({ ...from('ann'), ...prompted('a red balloon') });

  it('a command whose store loses its connection for a moment is handled once more, and makes one job', async () => {
    await openFailing(2, cut);
    expect(await command()).toMatchObject({ kind: 'card' });
    expect(core.errors).toEqual([]);
    expect((await core.state(['web:room'])).match(/"action":"job"/g)).toHaveLength(1);
  });

  it.each([
    { what: 'for longer', failures: 3, error: cut },
    { what: 'in another way', failures: 1, error: new Error('no space left') },
  ])('people are told when a store fails $what', async ({ failures, error }) => {
    await openFailing(failures, error);
    expect(await command()).toMatchObject({ kind: 'message', view: { tone: 'failed' } });
    expect(core.errors).toHaveLength(1);
  });

  it('commands wait together for a store that lost its connection, and not for ever', async () => {
    await open();
    const clock = createFakeClock();
    let isAlive = false;
    const retry = createRetryAfterLoss({ isConnectionLoss }, { isAlive: () => isAlive }, clock);

    let runs = 0;
    const work = async (): Promise<number> => {
      runs += 1;
      if (!isAlive) throw cut;
      return runs;
    };

    const results = [retry(work), retry(work)];
    await clock.advance(5_000);
    expect(runs).toBe(2);

    isAlive = true;
    await clock.advance(250);
    expect((await Promise.all(results)).toSorted()).toEqual([3, 4]);

    isAlive = false;
    const late = expect(retry(work)).rejects.toBe(cut);
    await clock.advance(10_000);
    await late;
  });

  it('work that fails for another reason than a lost connection is not repeated', async () => {
    await open();
    const retry = createRetryAfterLoss({ isConnectionLoss }, { isAlive: () => true }, createFakeClock());
    let runs = 0;

    const failing = retry(async () => {
      runs += 1;
      throw new Error('something else');
    });

    await expect(failing).rejects.toThrow('something else');
    expect(runs).toBe(1);
  });

  it('a card is shown only when its job would survive a power cut', async () => {
    const disk = Promise.withResolvers<void>();
    await open({ onDisk: () => disk.promise });
    const order: string[] = [];

    const reply = command().then(({ kind }) => order.push(kind));
    await holds(async () => expect(await core.state(['web:room'])).toContain('"action":"job"'));

    order.push('on the disk');
    disk.resolve();
    await reply;
    expect(order).toEqual(['on the disk', 'card']);
  });
});

describe('a command that names people', () => {
  const place = { platform: 'telegram', community: 'telegram:-5', channel: '-5', direct: false } as const;

  const say = async (text: string): Promise<string> => {
    const incoming = { ...from('1'), caller: person('telegram', '1'), place };
    return JSON.stringify(await core.desk.text({ ...incoming, text, photos: [] }));
  };

  it('a command that names many people asks the platform once who moderates', async () => {
    let asked = 0;
    const isModerator = async () => {
      asked += 1;
      return true;
    };

    await open({ isModerator });

    for (const user of ['11', '12', '13', '14', '15']) await core.rules.block(place.community, user, '');
    expect(await say('/settings show')).toMatch(/"11".*"15"/);
    expect(asked).toBe(1);
    expect(await say('/alias list')).toContain('Aliases');
    expect(asked).toBe(2);
    expect(await say('/settings timezone Europe/Berlin')).toContain('Berlin');
    expect(asked).toBe(3);
  });

  it('a successful block is reported although the platform no longer answers', async () => {
    const answers = [true];
    await open({ isModerator: async () => answers.pop() ?? expect.fail('too many requests') });
    expect(await say('/settings block 11111')).toContain('is blocked here');
    expect(await core.rules.isBlocked(place.community, '11111')).toBe(true);
  });

  it('an id that belongs to nobody cannot be blocked, but one that was blocked before can be unblocked', async () => {
    await open({ isModerator: async () => true });
    expect(await say('/settings block -5 spam')).toContain('Give the person’s id');
    expect((await core.rules.show(place.community)).blocked).toEqual([]);

    await core.rules.block(place.community, '-5', '');
    expect(await say('/settings unblock -5')).toContain('is no longer blocked');
  });
});

describe('/help', () => {
  /** The prices that /help names, by the name of the command. */
  const help = async (env: Readonly<Record<string, string>>) => {
    await open({ env });
    const lines = (await core.says(person('discord', '5'), 'discord:7', 'help')).split('\n');
    return (name: string): string | undefined =>
      /\(([^()]*credits?)\)$/.exec(lines.find((line) => line.startsWith(`/${name} `)) ?? '')?.[1];
  };

  it('/help names the price of every command that makes something, and of no other', async () => {
    const priceOf = await help({});
    const priced = commands.filter(({ name }) => priceOf(name) !== undefined);
    expect(priced).toEqual(commands.filter(({ generates }) => generates));
    expect(priceOf('faceswap')).toBe('2 credits');
    expect(priceOf('animate')).toBe('5–40 credits');
  });

  it('/help names no price where a command costs nothing', async () => {
    const priceOf = await help({ VIDEO_CREDITS: 'simple:0,advanced:0,performance:0' });

    expect(priceOf('faceswap')).toBe('2 credits');
    expect(priceOf('animate')).toBeUndefined();
    expect(priceOf('transition')).toBeUndefined();
  });
});
