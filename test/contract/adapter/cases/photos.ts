import { expect, vi } from 'vitest';
import { PhotoGone } from '../../../../src/adapters/adapter.ts';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import type { DrawOutcome } from '../../../../src/command/reply.ts';
import { jpeg, noise } from '../../../fakes/pictures.ts';
import type { Scene } from '../scene.ts';
import { done } from '../views.ts';
import { type Cases, needing } from './cases.ts';

/** Photos that people sent, and results that are the photo of the next job. */

export const soon = (): AbortSignal => AbortSignal.timeout(20_000);

type PlatformPhoto = Extract<PhotoRef, { ref: string }>;

export const resultOf = (drawn: DrawOutcome): PlatformPhoto => {
  const result = drawn.state === 'drawn' ? drawn.result : undefined;
  if (result === undefined || !('ref' in result)) throw new Error('no result');
  return result;
};

/** A photo that Ann sent with a command. */
const sentPhoto = async (scene: Scene, bytes: Uint8Array): Promise<PlatformPhoto> => {
  await scene.ann.types({ command: 'faceswap', given: { filter: '12' }, photos: { photo: bytes } });
  const [photo] = (await scene.heard(1)).photos;
  if (photo === undefined || !('ref' in photo)) throw new Error('no photo');
  return photo;
};

export const photoCases: Cases = {
  'the photo of a command can be fetched, and is refused when it is larger than allowed': async (scene) => {
    const bytes = await jpeg();
    const photo = await sentPhoto(scene, bytes);
    const { adapter } = scene.stage;

    for (let times = 0; times < 2; times += 1)
      expect(await adapter.photo(photo, bytes.byteLength, soon())).toEqual(bytes);
    await expect(adapter.photo(photo, bytes.byteLength - 1, soon())).rejects.toThrow();
    await expect(adapter.photo(photo, bytes.byteLength - 1, soon())).rejects.not.toBeInstanceOf(PhotoGone);
  },
  'the photo of a command can be fetched by another process': needing(
    ['photos after a crash'],
    async (scene) => {
      const bytes = await jpeg();
      const photo = await sentPhoto(scene, bytes);
      await scene.stage.crash();
      expect(await scene.stage.adapter.photo(photo, 1e6, soon())).toEqual(bytes);
    },
  ),
  'a photo that no longer exists is gone': async (scene) => {
    const photo = await sentPhoto(scene, await jpeg());
    await scene.stage.losePhotos();
    for (let times = 0; times < 2; times += 1)
      await expect(scene.stage.adapter.photo(photo, 1e6, soon())).rejects.toBeInstanceOf(PhotoGone);
  },
  'memory is reserved before a photo is in it': async (scene) => {
    const bytes = noise(300_000);
    const photo = await sentPhoto(scene, bytes);
    const { adapter } = scene.stage;
    const reserve = vi.fn(async () => undefined);
    expect(Buffer.from(await adapter.photo(photo, 1e6, soon(), reserve)).equals(bytes)).toBe(true);
    expect(reserve).toHaveBeenCalledOnce();

    const refuse = async (): Promise<never> => {
      throw new Error('no memory');
    };
    await expect(adapter.photo(photo, 1e6, soon(), refuse)).rejects.toThrow();
  },
  'a result can be fetched again as the photo of the next job, by another process, too': async (scene) => {
    const { card } = await scene.openCard();
    const bytes = await jpeg();
    const result = resultOf(await scene.stage.adapter.draw(card, done(bytes), 'final'));
    expect(await scene.stage.adapter.photo(result, 20_000_000, soon())).toEqual(bytes);

    await scene.stage.crash();
    expect(await scene.stage.adapter.photo(result, 20_000_000, soon())).toEqual(bytes);
  },
};
