import { beforeEach, describe, expect, test } from 'vitest';
import type { Place } from '../../../src/command/place.ts';
import { ann, bob, createFakeChat, labelsOf, room, uuid } from '../../fakes/call.ts';

const alias = {
  name: 'halloween',
  id: 'alias-1',
  model: 'face',
  filter: { id: uuid, label: 'Neon Nights' },
  createdAt: '2026-01-01T10:00:00Z',
  updatedAt: '2026-01-03T10:00:00Z',
  history: [{ label: 'Old Neon', removedAt: '2026-01-03T10:00:00Z' }],
} as const;

let chat: ReturnType<typeof createFakeChat>;

beforeEach(() => {
  chat = createFakeChat();
  chat.state.moderators.add('web:ann');
  chat.state.aliases = [alias];
});

const answers = async (line: string, words: RegExp) => expect(await chat.type(line)).toMatch(words);

/** Each page of a list for moderators is for moderators only. */
const expectClosed = async (): Promise<void> => {
  chat.state.moderators.clear();
  expect(await chat.choose('◀')).toMatch(/Only moderators/);
};

const campaign = {
  label: 'Pumpkin King',
  from: Date.UTC(2026, 9, 24, 22),
  until: Date.UTC(2026, 9, 31, 23),
  state: 'coming',
  by: bob,
} as const;

describe('campaigns', () => {
  test.each([
    {
      typed: '"Pumpkin King" from=2026-10-25 until=2026-11-01',
      from: '2026-10-25',
      until: '2026-11-01',
    },
    {
      typed: 'Pumpkin King from=2026-10-25t18:00',
      from: '2026-10-25T18:00',
      until: '-',
    },
    {
      typed: 'Pumpkin King from 2026-10-25 18:00 until: 2026-11-01',
      from: '2026-10-25T18:00',
      until: '2026-11-01',
    },
    {
      typed: '"Pumpkin King" 2026-10-25 2026-10-25 18:00',
      from: '2026-10-25',
      until: '2026-10-25T18:00',
    },
    {
      typed: 'Pumpkin King until=2026-11-01 06:00 from=2026-10-25',
      from: '2026-10-25',
      until: '2026-11-01T06:00',
    },
  ])(
    '/alias schedule halloween $typed begins at $from and ends at $until',
    async ({ typed, from, until }) => {
      chat.state.aliases = [{ ...alias, campaigns: [campaign] }];
      chat.state.settings = { ...chat.state.settings, timeZone: 'Europe/Berlin' };

      await answers(
        `/alias schedule halloween ${typed}`,
        /"halloween" will point to Pumpkin King from 2026-10-25 00:00 until 2026-11-01 00:00\.\nTimes are in Europe\/Berlin/,
      );

      expect(chat.state.did).toEqual([`alias schedule halloween Pumpkin King ${from} ${until}`]);
    },
  );

  test.each([
    { times: 'from=2026-02-30', words: /"from" must be a day such as/ },
    { times: 'from=tomorrow', words: /not "tomorrow"/ },
    { times: '31.2.', words: /"from" must be .* not "31\.2\."/ },
    { times: '2026-10-25 25:00', words: /"from" must be .* not "2026-10-25 25:00"/ },
    { times: '2026-10-25 to=2026-11-01', words: /"until" must be .* not "to=2026-11-01"/ },
    { times: 'from=0099-01-01', words: /"from" must be .* not "0099-01-01"/ },
    { times: 'from=2026-10-25T18:00+02:00', words: /"from" must be/ },
    {
      times: '2026-10-25 2026-11-01 2026-11-02',
      words: /"2026-11-02" is not expected here\.\nUsage: \/alias schedule name/,
    },
    { times: 'from=2026-10-25 until=25.10.2026', words: /"until" must be a day such as/ },
  ])('the times of /alias schedule are refused: $times', async ({ times, words }) => {
    await answers(`/alias schedule halloween "Neon" ${times}`, words);
    expect(chat.state.did).toEqual([]);
  });

  test('campaigns are listed in the time zone of the community, and /alias show names their maker', async () => {
    const running = { ...campaign, state: 'running', label: 'Neon' } as const;
    const stays = { label: 'Winter', from: Date.UTC(2026, 11, 1), state: 'coming', by: bob } as const;

    chat.state.aliases = [{ ...alias, campaigns: [running, campaign, stays, stays, stays] }];
    const listed = await chat.type('/alias list');

    expect(listed).toContain('▶ until 2026-10-31 23:00: Neon');
    expect(listed).toContain('⏳ from 2026-10-24 22:00 until 2026-10-31 23:00: Pumpkin King');
    expect(listed).toMatch(/from 2026-12-01 00:00 on: Winter\n… \+2\nTimes are in UTC/);

    await answers('/alias show halloween', /Pumpkin King · Bob/);
    chat.state.settings = { ...chat.state.settings, timeZone: 'America/New_York' };
    // The campaign ends after New York has set its clocks back: five hours lie between it and UTC then, instead of four.
    chat.state.aliases = [{ ...alias, campaigns: [{ ...campaign, until: Date.UTC(2026, 10, 1, 23) }] }];
    expect(await chat.type('/alias list')).toContain('from 2026-10-24 18:00 until 2026-11-01 18:00');
  });

  test('/alias unschedule takes campaigns back', async () => {
    chat.state.aliases = [{ ...alias, campaigns: [campaign, campaign] }];
    await answers('/alias unschedule halloween', /2 scheduled changes of "halloween" taken/);
  });
});

describe('/alias', () => {
  test.each([
    {
      line: 'create halloween Neon Nights',
      done: 'create halloween Neon Nights -',
      words: /"halloween" now points to Neon Nights/,
    },
    {
      line: `repoint Halloween ${uuid}`,
      done: `repoint halloween ${uuid}`,
      words: /repointed to Neon Nights/,
    },
    {
      line: 'delete halloween',
      done: 'delete halloween',
      words: /"halloween" was deleted/,
    },
  ])('/alias $line is done and answered', async ({ line, done, words }) => {
    await answers(`/alias ${line}`, words);

    expect(chat.state.did).toEqual([`alias ${done}`]);
  });

  test.each([
    {
      line: 'create halloween 12',
      words: /custom filter, given by its UUID or its name/,
    },
    {
      line: 'repoint halloween #12',
      words: /custom filter, given by its UUID or its name/,
    },
    {
      line: 'delete name="Not Good"',
      words: /a-z, 0-9[\s\S]*\/alias delete name[\s\S]*\/alias delete halloween/,
    },
  ])('/alias $line is refused with the rule', async ({ line, words }) => {
    await answers(`/alias ${line}`, words);

    expect(chat.state.did).toEqual([]);
  });

  test('/alias create asks for the model if it is unknown', async () => {
    chat.state.isModelKnown = false;
    await chat.type(`/alias create halloween ${uuid}`);
    expect(labelsOf(chat.last)).toEqual(['face', 'group']);
    expect(await chat.choose('group')).toMatch(/now points to/);
    expect(chat.state.did).toEqual([`alias create halloween ${uuid} group`]);
  });

  test('/alias list marks deleted filters, and is paged', async () => {
    chat.state.aliases = [];
    await answers('/alias list', /none yet/);
    const { filter: _gone, ...lost } = alias;
    chat.state.aliases = [lost, ...Array.from({ length: 20 }, (_, at) => ({ ...alias, name: `a${at}` }))];
    await answers('/alias list', /halloween → ⚠ its filter no longer exists[\s\S]*a0 → Neon Nights \(face\)/);

    expect(await chat.choose('▶')).toMatch(/a19 → Neon Nights[\s\S]*Page 2 of 2/);
    await expectClosed();
  });

  test('/alias show gives the filter, the days and the history, and no repoint if there was none', async () => {
    await answers(
      '/alias show halloween',
      /Points to Neon Nights[\s\S]*single faces[\s\S]*Created 2026-01-01[\s\S]*repointed 2026-01-03[\s\S]*Old Neon, until 2026-01-03/,
    );
    chat.state.aliases = [{ ...alias, history: [] }];
    expect(await chat.type('/alias show halloween')).not.toMatch(/repointed/);
  });

  test('/alias create with a numeric name says that the number takes precedence', async () => {
    chat.state.aliases = ['12', 'b12'].map((name) => ({ ...alias, name }));
    await answers(
      '/alias create name=12 filter="Neon Nights"',
      /"12" now points to Neon Nights[\s\S]*If a catalog has the number 12, that number is used/,
    );
    expect(await chat.type('/alias create name=b12 filter="Neon Nights"')).not.toMatch(/If a catalog/);
  });

  test('/alias asks for a missing name with the existing names', async () => {
    await answers('/alias show', /Name of the alias/);
    expect(await chat.choose('halloween')).toMatch(/Points to/);
  });
});

describe('/settings', () => {
  test('/settings show lists all that moderators set, page by page, each page in one message', async () => {
    const blocked = Array.from({ length: 2_000 }, (_, index) => ({
      user: String(index + 1_000),
      reason: index % 2 === 0 ? 'spam '.repeat(40).trim() : '',
    }));
    const bannedWords = Array.from({ length: 500 }, (_, index) => `word-${index}-${'x'.repeat(index % 50)}`);
    const channels = Array.from({ length: 50 }, (_, index) => ({ ...room, channel: `${index + 100}` }));
    const allowances = Array.from({ length: 60 }, (_, index) => ({ who: `a${index}`, credits: index + 1 }));

    chat.state.settings = { blocked, bannedWords, channels, allowances };
    let all = await chat.type('/settings show');
    const [, count = '0'] = /Page 1 of (\d+)/.exec(all) ?? [];
    for (let page = 2; page <= Number(count); page += 1) {
      const shown = await chat.choose('▶');
      expect(shown.length).toBeLessThan(4_000);
      expect(shown).toContain(`Page ${page} of ${count}`);
      all += shown;
    }

    for (const { user } of blocked) expect(all).toContain(`• ${user}`);
    for (const word of bannedWords) expect(all).toContain(word);
    for (const { channel } of channels) expect(all).toContain(`(${channel})`);
    for (const { who, credits } of allowances) expect(all).toContain(`• ${who}: ${credits}`);
    // Further pages are as private as the first one, and for moderators only.
    expect(chat.last?.kind).toBe('replace');
    await expectClosed();
  });

  test('/settings show names the log channel by id, or "here"', async () => {
    const shown = async (log: Place) => {
      chat.state.settings = { log, blocked: [], bannedWords: [] };
      await chat.type('/settings show');
      return chat.last?.kind === 'message' ? chat.last.view.lines[2] : undefined;
    };

    expect(await shown({ ...room, channel: '77', thread: '5' })).toEqual([
      'Log channel: ',
      { channel: '77', thread: '5' },
      '',
    ]);
    expect(await shown(room)).toMatchObject({ 1: { channel: room.channel, name: 'here' } });
  });

  test.each([
    { line: 'credits 50', done: 'credits 50', words: /50 credits a day/ },
    { line: 'allowance 77 80', done: 'allowance 77 80', words: /77 now has 80 credits a day/ },
    { line: 'allowance <@77>', done: 'allowance 77 -', words: /77 had no allowance/ },
    {
      line: 'grant 77 200 won the contest',
      done: 'grant 77 200 won the contest',
      words: /77 got 200 credits[\s\S]*: 200\./,
    },
    { line: 'grant 77 0', done: 'grant 77 0 ', words: /77 had no granted credits left/ },
    { line: 'grant 77 +5 3rd place', done: 'grant 77 5 3rd place', words: /77 got 5/ },
    { line: 'grant 77 3rd place 200', done: 'grant 77 200 3rd place', words: /77 got 200/ },
    { line: 'block 77 too much spam', done: 'block 77 too much spam', words: /77 is blocked/ },
    { line: 'block <@!77>', done: 'block 77 ', words: /77 is blocked/ },
    { line: 'pause back at noon', done: 'pause back at noon', words: /Paused/ },
    { line: 'resume', done: 'resume', words: /Resumed/ },
    { line: 'log here', done: 'log true', words: /go to this channel/ },
    { line: 'log OFF', done: 'log false', words: /no longer sent/ },
    { line: 'channels here', done: 'channels here', words: /made here now/ },
    { line: 'channels everywhere', done: 'channels everywhere', words: /in every channel now/ },
    { line: 'channels not-here', done: 'channels not-here', words: /are made in every channel\. Send/ },
    { line: 'channels not-here <#77>', done: 'channels not-here 77', words: /made in 77 any more/ },
    { line: 'channels not-here t.me/c/123/77', done: 'channels not-here 77', words: /made in 77 any more/ },
    {
      line: 'timezone europe/berlin',
      done: 'timezone Europe/Berlin',
      words: /Europe\/Berlin now. It is 2026-01-05 13:00/,
    },
    { line: 'timezone us/PACIFIC', done: 'timezone America/Los_Angeles', words: /It is 2026-01-05 04:00/ },
    { line: 'banword "very bad"', done: 'ban very bad', words: /refused here[\s\S]*Whole words are matched/ },
  ])('/settings $line is done and answered', async ({ line, done, words }) => {
    await answers(`/settings ${line}`, words);
    expect(chat.state.did).toEqual([done]);
  });

  const notWhole = (typed: string) => `"amount" must be a whole number from 0 to 100000, not "${typed}".`;

  test.each(['-5', '1e3', '٣', '5.5', '1,000', '9'.repeat(20)])(
    '/settings grant 77 %s is refused, because the amount is no whole number',
    async (amount) => {
      expect(await chat.type(`/settings grant 77 ${amount}`)).toContain(notWhole(amount));
      expect(chat.state.did).toEqual([]);
    },
  );

  test.each([
    { line: 'allowance 77 many', words: notWhole('many') },
    { line: 'credits -0', words: notWhole('-0') },
    { line: 'grant 77 1 000', words: '"000" is not expected here.\nUsage: /settings grant user amount' },
    { line: 'channels here 77', words: 'Only not-here takes' },
    { line: 'channels not here', words: 'Only not-here takes' },
    { line: 'timezone sao paulo', words: 'not "sao paulo". Did you mean America/Sao_Paulo' },
    { line: 'timezone +01:00', words: 'such as Europe/Berlin, not "+01:00".' },
    { line: 'allowance <@&77> 80', words: 'Roles exist on Discord only' },
    { line: 'block <@&77>', words: 'cannot find' },
    { line: 'log off kind=settings', words: 'Give here or off alone' },
  ])('/settings $line is refused in words', async ({ line, words }) => {
    expect(await chat.type(`/settings ${line}`)).toContain(words);
    expect(chat.state.did).toEqual([]);
  });

  test('/settings channels suggests the channels that were chosen, and without the last one none is left', async () => {
    chat.state.channels = [];
    await answers('/settings channels not-here', /No channel is left/);
    chat.state.settings = {
      blocked: [],
      bannedWords: [],
      channels: [
        { ...room, channel: '78' },
        { ...room, channel: '-1', thread: '77' },
      ],
    };
    const asked = { command: 'settings', subcommand: 'channels', option: 'channel', typed: '7' };
    const suggested = await chat.desk.complete({ caller: ann, place: room, ...asked }, 25);

    expect(suggested.map(({ value }) => value).sort()).toEqual(['77', '78']);
  });

  test('/settings finds people by name after they wrote to the bot, and only in their community', async () => {
    await answers('/settings block @Bobby spam', /cannot find "@Bobby"/);
    expect(chat.state.did).toEqual([]);

    await chat.as({ ...bob, name: 'Bobby Tables' }).type('/usage');
    await chat.type('/settings block "bobby tables" spam');
    expect(chat.state.did).toEqual(['block bob spam']);

    const elsewhere = chat.as(ann, { ...room, community: 'web:other' });
    expect(await elsewhere.type('/settings block "Bobby Tables"')).toMatch(/cannot find/);
  });

  test('/settings shows people by name and id', async () => {
    chat.state.names = { '77': 'Bobby Tables' };
    await answers('/settings block 77 spam', /Bobby Tables \(77\) is blocked/);
    chat.state.settings = { blocked: [{ user: '77', reason: 'spam' }], bannedWords: [] };
    await answers('/settings show', /• Bobby Tables \(77\): spam/);
    await answers('/settings unblock 77', /Bobby Tables \(77\) is no longer blocked/);
    await answers('/settings unblock 78', /78 was not blocked/);
  });

  test('/settings log without a value shows the latest entries', async () => {
    await answers('/settings log', /Times are in UTC[\s\S]*2026-01-05 00:00 ann made a face swap/);
    chat.state.settings = { blocked: [], bannedWords: [], timeZone: 'Europe/Berlin' };
    await answers('/settings log', /Times are in Europe\/Berlin[\s\S]*2026-01-05 01:00 ann made a face swap/);
  });

  test('/settings log is paged, for moderators only', async () => {
    chat.state.trail = Array.from({ length: 40 }, (_, n) => ({ at: 0, who: 'ann', what: `change ${n}.` }));
    const first = await chat.type('/settings log');
    expect(first).toMatch(/change 0\.[\s\S]*change 14\.[\s\S]*Page 1 of 3/);
    expect(first).not.toContain('change 15.');
    expect(await chat.choose('▶')).toMatch(/change 15\.[\s\S]*change 29\.[\s\S]*Page 2 of 3/);
    await expectClosed();
  });

  test('/settings allowword says whether the word was blocked', async () => {
    chat.state.settings = { blocked: [], bannedWords: ['foo'] };
    await answers('/settings allowword foo', /allowed again/);
    await answers('/settings allowword bar', /was not blocked/);
  });

  test('/settings stats of a community without jobs has words and no picture', async () => {
    chat.state.ports = {
      stats: { read: async () => chat.state.stats, draw: () => Promise.reject(new Error('nothing to draw')) },
    };
    expect(await chat.type('/settings stats')).toContain('Nobody has made anything here');
  });
});

test('/settings log is filtered by person and kind, also by words without a name', async () => {
  chat.state.trail = [
    { at: 0, who: 'ann', what: 'settings.pause' },
    { at: 0, who: 'bob', what: 'jobs' },
  ];
  const changes = await chat.type('/settings log settings');
  expect(changes).toContain('settings.pause');
  expect(changes).not.toContain('bob');
  expect(await chat.type('/settings log user=ann')).not.toContain('bob');
  expect(await chat.type('/settings log ann jobs')).toContain('no such entries');
  expect(chat.state.did).toEqual([]);
});
