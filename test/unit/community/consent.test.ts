import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { consentRecordRules, createConsents } from '../../../src/community/rules/consent.ts';
import { CONSENT_VERSION } from '../../../src/words/consent-version.ts';
import { languages } from '../../../src/words/words.ts';
import { createRecords } from '../../fakes/records.ts';

/** The hash of each wording that there was, by its version: a line is added, and none is changed. */
const WORDINGS: Readonly<Record<number, string>> = {
  1: '38a38f99faaef3ff',
};

const now = () => 5_000;

describe('consent', () => {
  it('consent has a new version when its wording changes in any language', () => {
    const wordings = Object.entries(languages).map(([language, { consent }]) => [language, consent]);

    const hash = createHash('sha256').update(JSON.stringify(wordings)).digest('hex').slice(0, 16);

    expect(
      WORDINGS[CONSENT_VERSION],
      'raise CONSENT_VERSION in src/words/consent-version.ts and add its wording here',
    ).toBe(hash);
    expect(Object.keys(WORDINGS).map(Number)).toEqual(
      Array.from({ length: CONSENT_VERSION }, (_, index) => index + 1),
    );
  });

  it('consent is stored with the version of its wording and the time', async () => {
    const records = createRecords();

    await createConsents(records, true, now).give('web:ann');

    expect(await records.get('web:ann')).toEqual({ at: 5_000, version: CONSENT_VERSION });
  });

  it('consent to one wording is none to the next, also after both were asked for', async () => {
    const records = createRecords();
    const first = createConsents(records, true, now, 1);
    const second = createConsents(records, true, now, 2);

    await first.give('web:ann');
    expect(await first.given('web:ann')).toBe(true);
    expect(await second.given('web:ann')).toBe(false);

    await second.give('web:ann');
    expect(await first.given('web:ann')).toBe(false);
    expect(await second.given('web:ann')).toBe(true);
  });

  it('consent from before there were versions is consent to the first wording', async () => {
    const records = createRecords();
    await records.set('web:ann', { at: 1 });

    expect(await createConsents(records, true, now, 1).given('web:ann')).toBe(true);
    expect(await createConsents(records, true, now, 2).given('web:ann')).toBe(false);
  });

  it('a record of consent is read with or without a version, and refused with one that is no number', () => {
    expect(consentRecordRules.isValid('web:ann', { at: 1 })).toBe(true);
    expect(consentRecordRules.isValid('web:ann', { at: 1, version: 1 })).toBe(true);
    expect(consentRecordRules.isValid('web:ann', { at: 1, version: 'x' })).toBe(false);
  });

  it('consent is not asked for where it is switched off', async () => {
    expect(await createConsents(createRecords(), false, now).given('web:ann')).toBe(true);
  });
});
