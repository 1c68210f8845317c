import { expect, it } from 'vitest';
import { readConfig } from '../../../../src/config/config.ts';
import { createFaceFinder } from '../../../../src/faces/finder.ts';
import { checkService } from '../../../../src/owner/doctor/service-check.ts';

/** A finder whose process ends at once, as where a library is missing. */
const brokenFinder = () => createFaceFinder({ program: new URL('data:text/javascript,process.exit(3)') });

const findingsOf = async (contentCheck: 'on' | 'off', openFinder = createFaceFinder) => {
  const config = readConfig({ CONTENT_CHECK: contentCheck, FACE_CHECK: 'off' });
  return (await checkService(config, openFinder)).filter(({ name }) => name === 'Content check');
};

it('the doctor tries the model of the content check, and says that it starts', async () => {
  expect(await findingsOf('on')).toEqual([{ name: 'Content check', ok: true, detail: 'starts' }]);
});

it('the doctor says that the model of the content check cannot run, and what to do', async () => {
  expect(await findingsOf('on', brokenFinder)).toMatchObject([
    { ok: false, reason: 'not started', cure: expect.stringContaining('npm ci') },
  ]);
});

it('the doctor does not try the model where the content check is off, which it warns of', async () => {
  expect(await findingsOf('off', brokenFinder)).toEqual([]);
});
