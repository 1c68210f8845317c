/** Keeps copies of the photos that this page has sent, which it shows without asking the server. */

const MOST = 30;
/** The addresses of the copies by message and number, oldest first. @type {Map<string, string>} */
const copies = new Map();

/** @param {string} message @param {readonly File[]} photos */
export function keepSent(message, photos) {
  for (const [index, photo] of photos.entries())
    copies.set(`${message}.${index}`, URL.createObjectURL(photo));
  for (const [key, address] of copies) {
    if (copies.size <= MOST) break;
    URL.revokeObjectURL(address);
    copies.delete(key);
  }
}

/** Finds our own copy of a photo. @param {string} id of the photo, which ends with the message and the number */
export function copyOf(id) {
  return copies.get(id.split('.').slice(-2).join('.'));
}
