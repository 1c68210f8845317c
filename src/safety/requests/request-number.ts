import { createHash, randomBytes } from 'node:crypto';

/** Letters and digits that cannot be mistaken for each other when they are written down (Crockford's base32). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Of five bits each: 140 bits, which nobody can guess. */
const LENGTH = 28;
const GROUP = /.{4}(?=.)/g;
const NUMBER = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);
/** Longer texts are not looked at. */
const MOST_TYPED = 100;

/** Makes the number of a request, in groups of four. Who has it can see what became of the request, and delete it. */
export function newRequestNumber(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.replaceAll(GROUP, '$&-');
}

/** The number as `newRequestNumber` made it, from what a person typed; undefined if it cannot be one. */
export function readRequestNumber(typed: string): string | undefined {
  if (typed.length > MOST_TYPED) return undefined;
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return NUMBER.test(letters) ? letters.replaceAll(GROUP, '$&-') : undefined;
}

const ID_LETTERS = 22;
export const REQUEST_ID_SHAPE = /^[\w-]{22}$/;

/**
 * The id under which a request is stored, and which owners see. The number cannot be told from it, and comparing ids tells nothing
 * of a number.
 */
export const requestIdOf = (number: string): string =>
  createHash('sha256').update(`removal request ${number}`).digest('base64url').slice(0, ID_LETTERS);
