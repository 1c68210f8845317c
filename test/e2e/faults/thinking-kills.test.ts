// @module-tag slow
// @module-tag longest
/**
 * A program that is killed after Discord's "thinking…": whoever comes next answers it, and nothing is spent or done twice.
 * Several programs: test/e2e/discord/shards.test.ts.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { wordsFor } from '../../../src/words/words.ts';
import { holds } from '../../eventually.ts';
import type { Sent } from '../../fakes/discord/people.ts';
import { LOADING } from '../../fakes/discord/world.ts';
import { photo, says } from '../discord/setting.ts';
import { createStage } from '../stage/stage.ts';

/** More for a longer night: THINKING_KILLS=20 npx vitest run --project slow test/e2e/faults/thinking-kills.test.ts */
const kills = Number(process.env.THINKING_KILLS ?? 3);
/** The kill comes at some moment of so long after "thinking…". */
const WITHIN_MS = 50;

describe.each(['gateway', 'HTTP'] as const)('a kill after "thinking…", %s', (way) => {
  it('a kill leaves no "thinking…" on Discord', async () => {
    const stage = await createStage({ byHttp: way === 'HTTP' });
    const isThinking = (sent: Sent): boolean => ((sent.message()?.flags ?? 0) & LOADING) !== 0;
    const isTold = says(wordsFor('en').notes.interrupted);
    const killed: Sent[] = [];
    let thinking = 0;

    for (let round = 0; round < kills; round += 1) {
      const values = { photo: await photo(), filter: '12', gender: 'female' };
      const sent = stage.discord.user(`Ann ${round}`).types('/faceswap', values);
      expect((await sent.answered()).type).toBe(5);
      await pause((round / kills) * WITHIN_MS);
      killed.push(sent);
      await stage.restart('kill', {}, async () => {
        if (isThinking(sent)) thinking += 1;
      });
    }

    await holds(() => expect(killed.filter(isThinking)).toEqual([]));

    const made = killed.filter((sent) => !sent.messages().some(isTold));
    // No job is made of a command whose person was told, and one of each other; a later kill may have made that uncertain.
    expect(stage.recorder.runs().length).toBeLessThanOrEqual(made.length);

    console.info(
      `${way}: ${kills} kills, ${thinking} while thinking; ${made.length} went on as jobs, the others were told`,
    );
    await stage.close();
  });
});
