import { discord } from './discord/profile.ts';
import type { PlatformProfile } from './profile.ts';
import { telegram } from './telegram/profile.ts';
import { web } from './web/profile.ts';

/** Every platform. What the rest of the program must know of one stands in its profile. */
export const profiles = { discord, telegram, web };

export type Platform = keyof typeof profiles;

function isPlatform(name: string): name is Platform {
  return Object.hasOwn(profiles, name);
}

export const PLATFORMS: readonly Platform[] = Object.keys(profiles).filter(isPlatform);

export function profileOf(platform: Platform): PlatformProfile {
  return profiles[platform];
}
