import { readKerasModel } from './keras-model.ts';
import { toNetwork } from './network.ts';
import { toTflite } from './tflite.ts';

/** The model that looks at the content of pictures, made from the installed package: half a second of CPU time. */
export const contentModel = (): Uint8Array => toTflite(toNetwork(readKerasModel()));
