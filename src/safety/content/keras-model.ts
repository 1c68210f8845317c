import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const require = createRequire(import.meta.url);

/** The files of the model, which the package keeps as JavaScript texts so that it loads without a server. */
const FOLDER = join(dirname(require.resolve('nsfwjs/models/mobilenet_v2')), '../../models/mobilenet_v2');
const TOPOLOGY = join(FOLDER, 'model.min.js');
const WEIGHTS = join(FOLDER, 'group1-shard1of1.min.js');

const size = z.tuple([z.int(), z.int()]);

/** Settings of all kinds of layers that this model has; each layer has some of them. */
const config = z.object({
  batch_input_shape: z.tuple([z.null(), z.int(), z.int(), z.int()]).optional(),
  strides: size.optional(),
  pool_size: size.optional(),
  padding: z.union([z.enum(['same', 'valid']), z.tuple([size, size])]).optional(),
  activation: z.enum(['linear', 'relu', 'softmax']).optional(),
  max_value: z.number().optional(),
  epsilon: z.number().optional(),
});

const layer = z.object({
  name: z.string(),
  class_name: z.string(),
  config,
  inbound_nodes: z.array(z.array(z.tuple([z.string(), z.int(), z.int(), z.object({})]))),
});
export type KerasLayer = z.infer<typeof layer>;

const topology = z.object({
  modelTopology: z.object({ model_config: z.object({ config: z.object({ layers: z.array(layer) }) }) }),
  weightsManifest: z.tuple([
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int()),
          quantization: z.object({ min: z.number(), scale: z.number(), dtype: z.literal('uint8') }),
        }),
      ),
    }),
  ]),
});

export interface KerasModel {
  /** Each stands behind those that it reads from. */
  readonly layers: readonly KerasLayer[];
  /** The numbers of a weight, such as `Conv1/kernel`, in the order of its shape. */
  weight(name: string): { readonly shape: readonly number[]; readonly values: Float32Array };
}

/** Reads the model of nsfwjs from the installed package. */
export function readKerasModel(): KerasModel {
  const { modelTopology, weightsManifest } = topology.parse(load(TOPOLOGY));
  const bytes = Buffer.from(z.string().parse(load(WEIGHTS)), 'base64');
  const places = new Map<string, { readonly from: number; readonly length: number }>();
  let from = 0;
  for (const { name, shape } of weightsManifest[0].weights) {
    const length = shape.reduce((product, side) => product * side, 1);
    places.set(name, { from, length });
    from += length;
  }
  if (from !== bytes.length) throw new Error('the weights of the content model are not complete');
  return {
    layers: modelTopology.model_config.config.layers,
    weight(name) {
      const about = weightsManifest[0].weights.find((each) => each.name === name);
      const place = places.get(name);
      if (about === undefined || place === undefined) throw new Error(`the content model has no ${name}`);
      const { min, scale } = about.quantization;
      const stored = bytes.subarray(place.from, place.from + place.length);
      return { shape: about.shape, values: Float32Array.from(stored, (value) => value * scale + min) };
    },
  };
}

/** What a file of the package exports. It is not kept: the text of the weights takes 3.5 MB. */
function load(file: string): unknown {
  const exported: unknown = require(file);
  delete require.cache[file];
  return exported;
}
