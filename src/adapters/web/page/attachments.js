import { fetchSample } from './api.js';
import { byId, h } from './elements.js';
import { label } from './labels.js';
import { toast } from './toast.js';

/** Collects the photos for the next message: chosen, taken, dropped, pasted, or a sample. */

const MOST_BYTES = 20 * 1024 * 1024;
const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

/**
 * Converts other formats that the browser can decode (HEIC, GIF) to JPEG.
 * @param {File} file
 * @returns {Promise<File>}
 */
async function usable(file) {
  if (ACCEPTED_TYPES.includes(file.type)) return file;
  const bitmap = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 });
  return new File([blob], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' });
}

/** @param {() => number} most */
export function createAttachments(most) {
  const thumbs = byId('thumbs', HTMLElement);
  /** @type {{ file: Promise<File | undefined>, element: HTMLElement, address: string }[]} */
  let attached = [];

  /** @param {(typeof attached)[number]} gone */
  const drop = (gone) => {
    attached = attached.filter((each) => each !== gone);
    URL.revokeObjectURL(gone.address);
    gone.element.remove();
    thumbs.hidden = attached.length === 0;
  };

  /** @param {File} file */
  const add = (file) => {
    if (attached.length >= most()) return toast(label('mostPhotos', { most: most() }));
    if (file.size > MOST_BYTES) return toast(label('tooLarge', { name: file.name }));
    const address = URL.createObjectURL(file);
    const remove = h(
      'button',
      { type: 'button', 'aria-label': label('takeOutOne', { name: file.name }), title: label('remove') },
      '×',
    );
    const image = h('img', { src: address, alt: file.name });
    const element = h('li', { class: 'thumb' }, image, remove);
    const refuse = () => {
      if (attached.includes(entry)) toast(label('notUsable', { name: file.name }));
      drop(entry);
      return undefined;
    };
    const entry = { file: usable(file).catch(refuse), element, address };
    // A file that the browser cannot decode is not a picture.
    image.addEventListener('error', refuse);
    remove.addEventListener('click', () => {
      drop(entry);
      byId('message', HTMLTextAreaElement).focus();
    });
    attached.push(entry);
    thumbs.append(element);
    thumbs.hidden = false;
  };

  /** @param {Iterable<File> | null | undefined} files */
  const addAll = (files) => {
    for (const file of files ?? []) {
      if (file.type.startsWith('image/') || /\.hei[cf]$/i.test(file.name)) add(file);
      else toast(label('notPicture', { name: file.name }));
    }
  };

  return {
    addAll,
    count: () => attached.length,
    /** Returns the photos and removes them. @returns {Promise<File[]>} */
    async take() {
      const all = attached;
      for (const each of all) drop(each);
      const files = await Promise.all(all.map((each) => each.file));
      return files.filter((file) => file !== undefined);
    },
    /** @param {string} name */
    async sample(name) {
      await fetchSample(name).then(add, () => toast(label('noAnswer')));
    },
  };
}

/** @typedef {ReturnType<typeof createAttachments>} Attachments */

/**
 * Listens for photos from file inputs, drag and drop, and paste.
 * @param {() => Attachments} current
 */
export function receivePhotos(current) {
  const overlay = byId('drop', HTMLElement);
  for (const id of ['photos', 'camera']) {
    const input = byId(id, HTMLInputElement);
    input.addEventListener('change', () => {
      current().addAll([...(input.files ?? [])]);
      // The value is cleared, because choosing the same file again would fire no event.
      input.value = '';
      byId('message', HTMLTextAreaElement).focus();
    });
  }

  /** @param {DragEvent} event */
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    overlay.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) overlay.hidden = true;
  });
  addEventListener('drop', (event) => {
    overlay.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    current().addAll(event.dataTransfer?.files);
  });
  addEventListener('paste', (event) => {
    const files = event.clipboardData?.files;
    if (!files?.length) return;
    event.preventDefault();
    current().addAll(files);
  });
}
