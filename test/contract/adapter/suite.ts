import { afterEach, beforeEach, describe, expect } from 'vitest';
import { cardTests } from './card-tests.ts';
import { conversationTests } from './conversation-tests.ts';
import type { AdapterDriver } from './driver.ts';
import { openScene, type Scene } from './scene.ts';
import { tileTests } from './tile-tests.ts';

/** What every chat platform must do, seen from the people in front of it. */
export const adapterSuite = (driver: AdapterDriver): void => {
  describe(`adapter: ${driver.name}`, () => {
    let current: Scene;
    beforeEach(async () => {
      current = await openScene(driver);
    });
    afterEach(async () => {
      await current.stage.stop();
      expect(current.stage.complaints()).toEqual([]);
    });
    // Tests are declared before any scene exists: each finds its own when it runs.
    const scene: Scene = {
      get desk() {
        return current.desk;
      },
      get stage() {
        return current.stage;
      },
      last: (person, count) => current.last(person, count),
      openCard: (isPrivate) => current.openCard(isPrivate),
    };
    conversationTests(scene);
    cardTests(scene);
    tileTests(scene);
  });
};
