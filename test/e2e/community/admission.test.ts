/** What a moderator decides while a job waits in line is obeyed before the job is submitted. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { prompted, settings } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');

useStage({
  script: { jobs: () => ({ queuedMs: 0, runningMs: 600_000, result: made }) },
  env: { USER_CONCURRENT_JOBS: '1' },
});

const decisions = [
  ['blocked', (id: string) => settings('block', { user: id }), 'A moderator blocked you here'],
  ['paused', () => settings('pause', { reason: 'cleaning' }), 'Darkroom was paused in this community'],
  ['word', () => settings('banword', { word: 'grue' }), 'no longer allows'],
] as const;

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  it.each(decisions)('%s', async (decision, line, words) => {
    const room = stage.platforms[name].room();
    const mod = room.member(`Mod ${decision}`);
    mod.moderates(true);
    const ann = room.member(`Ann ${decision}`);
    const running = await ann
      .sends(prompted(`first ${decision} ${name}`))
      .until(({ buttons }) => buttons.includes('Cancel'), 'a card');
    const sent = (): readonly string[] => stage.recorder.runs().map(({ body }) => String(body.prompt));
    await eventually(() => sent().includes(`first ${decision} ${name}`), 'the first to be submitted');
    const waiting = ann.sends(prompted(`second ${decision} ${name}, a grue`));
    await waiting.until(({ buttons }) => buttons.includes('Cancel'), 'a card that waits');
    await mod
      .sends(line(ann.key.slice(ann.key.indexOf(':') + 1)))
      .until(({ text }) => text !== '', 'an answer to the moderator');
    ann.press(running, 'Cancel');
    const ended = await waiting.says(words);
    expect(ended.buttons).not.toContain('Cancel');
    expect(sent()).not.toContain(`second ${decision} ${name}, a grue`);
  });
});
