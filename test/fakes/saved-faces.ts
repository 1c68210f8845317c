import type { Clock } from '../../src/base/clock.ts';
import { createSavedFaces, type SavedFaces } from '../../src/community/faces/saved-faces.ts';
import { createRecords } from './records.ts';

/** Saved faces in memory, with room for all. Those of boys and girls are accepted. */
export const createFacesInMemory = (clock: Pick<Clock, 'now'>): SavedFaces => {
  let ids = 0;
  return createSavedFaces({
    records: createRecords(),
    bytes: async () => 0,
    acceptsMinors: true,
    onFull: () => undefined,
    clock,
    newId: () => `face-${++ids}`,
  });
};
