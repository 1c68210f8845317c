import * as platforms from './platforms.ts';
import type { PlatformProfile } from './profile.ts';

export const profiles = { ...platforms };

export type Platform = keyof typeof profiles;

const isPlatform = (name: string): name is Platform => Object.hasOwn(profiles, name);

export const PLATFORMS: readonly Platform[] = Object.keys(profiles).filter(isPlatform);

/** What the rest of the program must know of it. */
export const profileOf = (platform: Platform): PlatformProfile => profiles[platform];

/** Whether an id of the platform can look like this. */
export function isIdOf(platform: Platform, whose: keyof PlatformProfile['ids'], id: string): boolean {
  const shape = profileOf(platform).ids[whose];
  return shape !== undefined && new RegExp(`^(?:${shape.source})$`, shape.flags).test(id);
}
