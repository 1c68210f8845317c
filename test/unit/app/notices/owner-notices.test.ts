import { beforeEach, describe, expect, it } from 'vitest';
import { createAliasNotices, createOwnerNotices } from '../../../../src/app/notices/notices.ts';
import { createReports } from '../../../../src/app/notices/reports.ts';
import { createOutgoing, ownerAsCaller } from '../../../../src/app/platforms/outgoing.ts';
import type { View } from '../../../../src/command/view.ts';
import { drawApproval } from '../../../../src/community/approvals/approval-decisions.ts';
import { createReportRecords } from '../../../../src/community/rules/report-records.ts';
import { createLog } from '../../../../src/log/log.ts';
import { LANGUAGES, languages, type OwnerTrouble } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { viewText } from '../../../fakes/call.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createTestCore } from '../../../fakes/core.ts';
import { createRecords } from '../../../fakes/records.ts';
import { openWorld, orderOf, world } from '../../orchestrator/world.ts';
import { englishIn } from '../../words/english.ts';

const everyTrouble = Object.keys(languages.en.owner.notices) as OwnerTrouble[];
const log = createLog({ level: 'silent', secrets: [] });

beforeEach(() => openWorld());

describe.each(LANGUAGES)('owners who read %s', (language) => {
  const words = languages[language];
  const owners = [ownerAsCaller({ platform: 'web', id: 'owner' }, language)];
  const stage = () => {
    const told: string[] = [];
    const logged: string[] = [];
    const say = async (_: object, view: View) => {
      told.push(viewText(view));
      return { state: 'drawn' as const };
    };
    return { told, logged, outgoing: { ...createOutgoing(new Map()), say } };
  };
  const isOwn = (text: string): void => {
    if (language !== 'en') expect(englishIn(text)).toEqual([]);
  };

  it('are told of each trouble in their language, once an hour, and the log has it in English', () => {
    const { told, logged, outgoing } = stage();
    const stream = { write: (line: string) => logged.push(JSON.parse(line).msg) };
    const notice = createOwnerNotices(
      owners,
      words,
      outgoing,
      createFakeClock(),
      createLog({ level: 'error', secrets: [], stream }),
      () => 'is the disk full?',
    );
    for (const trouble of [...everyTrouble, ...everyTrouble]) notice(trouble, new Error('no room'));
    expect(told).toHaveLength(everyTrouble.length);
    for (const [index, trouble] of everyTrouble.entries()) {
      expect(told[index]).toContain(words.owner.notices[trouble]);
      expect(logged[index]).toContain(languages.en.owner.notices[trouble]);
      isOwn(told[index] ?? '');
    }
    expect(told[everyTrouble.indexOf('store')]).toContain('is the disk full?');
  });

  it('are told what is used of the ceiling', () => {
    const { told, outgoing } = stage();
    const notice = createOwnerNotices(owners, words, outgoing, createFakeClock(), log, String);
    notice('service-ceiling', undefined, { used: 81, most: 97 });
    expect(told[0]).toMatch(/81 \P{N}+ 97\./u);
    isOwn(told[0] ?? '');
  });

  it('are asked for an approval, and see a report and a broken alias', async () => {
    const { told, outgoing } = stage();
    const job = await world.submit('ann');
    const asked = { id: 'w', place: job.place, locale: 'en', since: 0, toldAt: 0 };
    const request = {
      name: 'Photo club',
      waiting: { ...asked, person: 'Ann', members: 7, isAdded: true as const },
    };
    told.push(viewText(drawApproval('telegram:-5', request, words)));
    const post = async (_: string, view: View) => told.push(viewText(view)) > 0;
    const audit = { note: async () => undefined };
    const report = createReports({
      outgoing,
      owners,
      ownerWords: words,
      wordsIn: async () => words,
      channel: { post: async () => false, tell: () => undefined },
      audit,
      reports: createReportRecords(createRecords(), () => 0),
    });
    await report(job, { ...orderOf('ben'), event: 'press' });
    createAliasNotices(
      { post },
      audit,
      async () => words,
      createFakeClock(),
      log,
    )(job, 'xmas', {
      code: 'alias-gone',
      name: 'xmas',
    });
    await eventually(() => told.length === 3, 'all three');
    const titles = [words.approval.title, words.notes.reportTitle, 'xmas'];
    for (const [index, title] of titles.entries()) expect(told[index]).toContain(title);
    for (const text of told) isOwn(text);
  });
});

it('OWNER_LANGUAGE is the language in which owners are asked, and of the answer in its place', async () => {
  const told: View[] = [];
  const core = await createTestCore({
    owners: ['discord:1'],
    communities: 'approved',
    env: { OWNER_LANGUAGE: 'de' },
    say: async (_, view) => {
      told.push(view);
      return { state: 'drawn' };
    },
  });
  try {
    const place = { platform: 'telegram', community: 'telegram:-7', channel: '-7', direct: false } as const;
    const ann = { platform: 'telegram', id: '5', name: 'Ann', locale: 'en' } as const;
    await core.desk.command({ caller: ann, place, event: 'a', command: 'jobs', given: {} });
    const [asked] = await eventually(() => told.length > 0 && told, 'the notice');
    const { approval } = languages.de;
    expect(asked?.title).toBe(approval.title);
    const reply = await core.desk.press({
      event: 'b',
      caller: { platform: 'discord', id: '1', name: 'Olga', locale: 'fr' },
      place: { platform: 'discord', community: 'discord:dm:1', channel: '1', direct: true },
      action: asked?.buttons?.[0]?.[0]?.action ?? '',
    });
    expect(reply.kind === 'replace' && viewText(reply.view)).toContain(approval.approvedBy('Olga'));
  } finally {
    await core.close();
  }
});
