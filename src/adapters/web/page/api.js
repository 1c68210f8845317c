import { label } from './labels.js';
import { keepSent } from './sent-photos.js';

/** Sends the page's requests to the server. */

/** @typedef {import('../visitors/people.ts').Person} Person */
/** @typedef {import('../visitors/people.ts').Room & { readonly moderator: boolean }} Room */
/** @typedef {ReturnType<typeof import('../outgoing/commands.ts').commandsForPage>[number]} Command */
/** @typedef {Command['actions'][number]} Action */
/** @typedef {Action['options'][number]} Option */
/**
 * @typedef {object} Session
 * @property {Person} person
 * @property {Person[]} people
 * @property {Room[]} rooms
 * @property {string} locale
 * @property {{ id: string, name: string }[]} languages
 * @property {Command[]} commands
 * @property {{ name: string, label: string }[]} samples
 * @property {number} mostPhotos
 * @property {number} mostText
 * @property {import('./labels.js').Labels} labels
 */

/** Thrown when the server refuses a request; the message is for the person. */
export class Refused extends Error {}

/** Makes the id that is sent with every action, so that a retry is handled once. */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const OWN = { 'x-darkroom': '1' };

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function ask(path, init = {}) {
  const response = await fetch(path, { ...init, headers: { ...OWN, ...init.headers } });
  // If the session has expired, the server shows the right page.
  if (response.status === 401) location.reload();
  const answer = await response
    .json()
    .catch(() => ({ error: label('serverSaid', { status: response.status }) }));
  if (response.ok) return answer;
  // A busy server and an upload that was too slow can be retried.
  if (response.status === 503 || response.status === 408) throw new Error('busy');
  throw new Refused(answer.error);
}

/** @returns {Promise<Session>} */
export function session() {
  return ask('/api/session');
}

/**
 * Sends a POST request, and retries while the server is unreachable or busy; a refusal is final.
 * @param {string} path
 * @param {RequestInit} init
 * @param {(again: boolean) => void} [waiting]
 */
async function postWithRetry(path, init, waiting = () => {}) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await ask(path, { ...init, method: 'POST' });
      waiting(false);
      return answer;
    } catch (error) {
      if (error instanceof Refused || attempt >= 6) throw error;
      waiting(true);
      await pause(400 * 2 ** attempt);
    }
  }
}

/**
 * @param {string} path
 * @param {object} body
 */
export function post(path, body) {
  return postWithRetry(path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
}

/**
 * @param {{ room: string, text: string, photos: readonly File[] }} message
 * @param {(again: boolean) => void} waiting
 */
export function say({ room, text, photos }, waiting) {
  const form = new FormData();
  const id = newId();
  keepSent(id, photos);
  form.set('id', id);
  form.set('room', room);
  form.set('text', text);
  for (const photo of photos) form.append('photos', photo, photo.name || 'photo');
  return postWithRetry('/api/messages', { body: form }, waiting);
}

/**
 * @param {Record<string, string>} query
 * @param {AbortSignal} signal
 * @returns {Promise<{ value: string, label: string }[]>}
 */
export async function complete(query, signal) {
  return (await ask(`/api/complete?${new URLSearchParams(query)}`, { signal })).suggestions;
}

/**
 * Fetches the filters that an empty room offers; their actions are lines to send.
 * @param {string} room
 * @returns {Promise<readonly import('./parts.js').Tile[]>}
 */
export async function filters(room) {
  return (await ask(`/api/filters?${new URLSearchParams({ room })}`)).tiles;
}

/** @param {string} name */
export async function fetchSample(name) {
  const response = await fetch(`/samples/${name}`);
  if (!response.ok) throw new Refused(label('noAnswer'));
  const blob = await response.blob();
  return new File([blob], `${name}.jpg`, { type: blob.type });
}
