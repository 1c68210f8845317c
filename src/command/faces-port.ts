import type { Gender } from '../kinds/choices.ts';
import type { PhotoRef } from './photo.ts';

/** A photo that its owner keeps for later. */
export interface SavedFace {
  /** Another one when it is replaced. */
  readonly id: string;
  readonly name: string;
  readonly gender?: Gender;
  readonly usedAt: number;
}

/** The caller's own faces, in every community. All of these throw where faces are not switched on. */
export interface FacesPort {
  /** The default first, then the oldest. */
  list(): Promise<readonly SavedFace[]>;
  find(by: Pick<SavedFace, 'id'> | Pick<SavedFace, 'name'>): Promise<SavedFace>;
  save(name: string, photo: PhotoRef, gender?: Gender): Promise<'saved' | 'replaced'>;
  /** Returns the faces that are left. */
  delete(name: string): Promise<readonly SavedFace[]>;
  setDefault(name: string): Promise<void>;
}
