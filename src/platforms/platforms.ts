import { facts, type PlatformFacts } from './facts.ts';

/** The stored name of a platform; its facts are in `facts.ts`. */
export type Platform = keyof typeof facts;

const isPlatform = (name: string): name is Platform => Object.hasOwn(facts, name);

/** All platforms, in the order of their rows in `facts.ts`. */
export const PLATFORMS: readonly Platform[] = Object.keys(facts).filter(isPlatform);

export const factsOf = (platform: Platform): PlatformFacts => facts[platform];

/** Whether a text has the shape of an id of the platform. */
export function isIdOf(platform: Platform, whose: keyof PlatformFacts['ids'], id: string): boolean {
  const shape = factsOf(platform).ids[whose];
  return shape !== undefined && new RegExp(`^(?:${shape.source})$`, shape.flags).test(id);
}
