import { expect, it, vi } from 'vitest';
import { createErasedMeanwhile } from '../../../../src/app/jobs/erased-meanwhile.ts';
import { machineTime } from '../../../../src/base/clock.ts';

const caller = { platform: 'discord', id: '1', name: 'Ann', locale: 'en' } as const;

it('a shared store is asked whether the caller’s data was deleted since the event began', async () => {
  const asked: { readonly person: string; readonly withinMs: number }[] = [];
  const began = async (person: string, withinMs: number): Promise<boolean> => {
    asked.push({ person, withinMs });
    return true;
  };
  const erasedMeanwhile = createErasedMeanwhile({ began }, { isShared: true });

  expect(await erasedMeanwhile({ caller, begunAt: machineTime.passed() - 5_000 })).toBe(true);

  expect(asked).toMatchObject([{ person: 'discord:1' }]);
  expect(asked[0]?.withinMs).toBeGreaterThanOrEqual(5_000);
});

it('a store that one process has alone is not asked, because the deletion has aborted the event', async () => {
  const began = vi.fn(async () => true);
  const erasedMeanwhile = createErasedMeanwhile({ began }, { isShared: false });

  expect(await erasedMeanwhile({ caller, begunAt: 0 })).toBe(false);
  expect(await erasedMeanwhile({ caller, begunAt: 0, forgotten: AbortSignal.abort() })).toBe(true);
  expect(began).not.toHaveBeenCalled();
});
