import { readConfig } from '../../src/config/config.ts';
import type { OrchestratorPorts } from '../../src/orchestrator/steps/effects.ts';

/** Ports of a platform and a community that allow and show everything; a test replaces those that it is about. */
export const idlePorts: OrchestratorPorts = {
  admit: async () => undefined,
  resolve: async (choice) => choice.id,
  photo: async () => ({ image: { bytes: Buffer.from('photo'), type: 'image/jpeg' }, hashes: [] }),
  checkPhoto: async () => undefined,
  isBlocked: async () => false,
  isHeld: async () => false,
  tellHeld: async () => undefined,
  takeBack: async () => undefined,
  draw: async () => ({ state: 'drawn' }),
  findCard: async () => undefined,
  newCard: async () => undefined,
  discard: async () => undefined,
  ownerNotice: () => undefined,
  finished: () => undefined,
  polled: () => undefined,
};

const { deadlines, floors } = readConfig({});
/** The times of a program without settings. */
export const standardTimes = {
  deadlines,
  floorsMs: { image: floors.imageMs, video: floors.videoMs },
};
