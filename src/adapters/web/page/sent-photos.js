/** Photos that this page has sent. It shows its own copies: another process may not have them. */

const MOST = 30;
/** By message and number: addresses of the copies, oldest first. @type {Map<string, string>} */
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

/** @param {string} id of a photo: it ends with the message and the number */
export function copyOf(id) {
  return copies.get(id.split('.').slice(-2).join('.'));
}
