/** Every platform, by the name that is stored. */
export { discord } from './discord/profile.ts';
export { telegram } from './telegram/profile.ts';
export { web } from './web/profile.ts';
