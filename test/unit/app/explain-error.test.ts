import { expect, it } from 'vitest';
import { explainError } from '../../../src/app/explain-error.ts';
import { OrderRefused } from '../../../src/orchestrator/job/order-refused.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { ann } from '../../fakes/call.ts';

const said = (refusal: OrderRefused): string => {
  const explained = explainError(refusal, wordsFor('en'), ann, 0);
  return explained instanceof Error ? explained.message : expect.fail('the refusal is not explained');
};

it('an album that the limit of a minute keeps back is answered with how much of it fits now, and the rest when', () => {
  const later = { more: 3, afterMs: 40_000 };
  expect(said(new OrderRefused({ code: 'album', photos: 5, fits: 2, later }))).toContain('2 now, 3 in 40 s');
});

it('an album for which unfinished jobs leave no room is answered to wait for one of them', () => {
  expect(said(new OrderRefused({ code: 'album', photos: 5, fits: 2 }))).toContain(
    'when a job of yours is done',
  );
});
