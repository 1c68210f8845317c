import type { KerasLayer, KerasModel } from './keras-model.ts';

export type Activation = 'none' | 'relu' | 'relu6';

/** Rows, columns and channels of what an operator makes. */
export type TensorSize = readonly [height: number, width: number, channels: number];

interface Made {
  readonly size: TensorSize;
  /** Where the operators whose results it reads stand in the network; -1 is the picture. */
  readonly inputs: readonly number[];
}

interface Weighted extends Made {
  /** In the order of TFLite: the outputs first. */
  readonly weights: { readonly shape: readonly number[]; readonly values: Float32Array };
  readonly bias: Float32Array;
  readonly activation: Activation;
}

export type Operator =
  | (Weighted & { readonly kind: 'conv' | 'depthwise-conv'; readonly stride: number })
  | (Weighted & { readonly kind: 'dense' })
  | (Made & { readonly kind: 'add' | 'softmax' })
  | (Made & { readonly kind: 'average-pool'; readonly side: number });

export interface Network {
  readonly input: TensorSize;
  /** Each reads from those before it; the last one makes the result. */
  readonly operators: readonly Operator[];
}

const PADDING_BEFORE_STRIDE = '[[0,1],[0,1]]';

/**
 * The layers of a Keras model as operators of TFLite: a normalisation goes into the weights of the convolution before it, a ReLU into the
 * operator before it. Throws for a layer that this model does not have.
 */
export function toNetwork({ layers, weight }: KerasModel): Network {
  const operators: Operator[] = [];
  /** By the name of a layer: the operator that makes its values, or -1. */
  const makerOf = new Map<string, number>();
  const padded = new Set<string>();
  let input: TensorSize = [0, 0, 0];

  const sizeOf = (index: number): TensorSize => operators[index]?.size ?? input;
  const add = (operator: Operator): number => operators.push(operator) - 1;
  const sourcesOf = ({ name, inbound_nodes: [nodes = []] }: KerasLayer): readonly number[] =>
    nodes.map(([source]) => {
      const index = makerOf.get(source);
      if (index === undefined) throw new Error(`${name} reads from ${source}, which is not known`);
      return index;
    });

  const convolution = (layer: KerasLayer, source: number): Operator => {
    const { name, config } = layer;
    const [stride = 1] = config.strides ?? [];
    const isDepthwise = layer.class_name === 'DepthwiseConv2D';
    const kernel = weight(`${name}/${isDepthwise ? 'depthwise_kernel' : 'kernel'}`);
    const [rows = 0, columns = 0, read = 0, made = 0] = kernel.shape;
    const [height, width, channels] = sizeOf(source);
    // Zeros at the right and below, as `ZeroPadding2D` adds them, are what `same` adds where the stride is 2 and the sides are even.
    const isPadded = padded.has(layer.inbound_nodes[0]?.[0]?.[0] ?? '');
    const isSame = isPadded
      ? stride === 2 && height % 2 === 0 && width % 2 === 0
      : config.padding === 'same' || (rows === 1 && columns === 1);
    if (!isSame || read !== channels || config.activation !== 'linear') throw unknown(layer);
    const outputs = isDepthwise ? read : made;
    return {
      kind: isDepthwise ? 'depthwise-conv' : 'conv',
      inputs: [source],
      size: [Math.ceil(height / stride), Math.ceil(width / stride), outputs],
      stride,
      activation: 'none',
      bias: new Float32Array(outputs),
      weights: isDepthwise
        ? { shape: [1, rows, columns, read], values: kernel.values }
        : { shape: [made, rows, columns, read], values: outputsFirst(kernel.values, made) },
    };
  };

  const normalise = (layer: KerasLayer, index: number): void => {
    const before = operators[index];
    if (before?.kind !== 'conv' && before?.kind !== 'depthwise-conv') throw unknown(layer);
    const of = (name: string): Float32Array => weight(`${layer.name}/${name}`).values;
    const [gamma, beta, mean, variance] = [of('gamma'), of('beta'), of('moving_mean'), of('moving_variance')];
    const { epsilon = 0 } = layer.config;
    const factors = Array.from(gamma, (value, i) => value / Math.sqrt((variance[i] ?? 0) + epsilon));
    const { shape, values } = before.weights;
    const perOutput = values.length / factors.length;
    const outputOf = (i: number): number =>
      before.kind === 'conv' ? Math.floor(i / perOutput) : i % factors.length;
    operators[index] = {
      ...before,
      weights: { shape, values: values.map((value, i) => value * (factors[outputOf(i)] ?? 0)) },
      bias: Float32Array.from(factors, (factor, i) => (beta[i] ?? 0) - (mean[i] ?? 0) * factor),
    };
  };

  const dense = ({ name, config }: KerasLayer, source: number): Operator => {
    const kernel = weight(`${name}/kernel`);
    const [read = 0, made = 0] = kernel.shape;
    return {
      kind: 'dense',
      inputs: [source],
      size: [1, 1, made],
      activation: config.activation === 'relu' ? 'relu' : 'none',
      weights: { shape: [made, read], values: outputsFirst(kernel.values, made) },
      bias: weight(`${name}/bias`).values,
    };
  };

  const make = (layer: KerasLayer): number => {
    const { config } = layer;
    const sources = sourcesOf(layer);
    const [source = -1] = sources;
    switch (layer.class_name) {
      case 'InputLayer': {
        const [, height = 0, width = 0, channels = 0] = config.batch_input_shape ?? [];
        input = [height, width, channels];
        return -1;
      }
      case 'ZeroPadding2D':
        if (JSON.stringify(config.padding) !== PADDING_BEFORE_STRIDE) throw unknown(layer);
        padded.add(layer.name);
        return source;
      case 'Conv2D':
      case 'DepthwiseConv2D':
        return add(convolution(layer, source));
      case 'BatchNormalization':
        normalise(layer, source);
        return source;
      case 'ReLU': {
        const before = operators[source];
        if (before === undefined || !('activation' in before) || config.max_value !== 6) throw unknown(layer);
        operators[source] = { ...before, activation: 'relu6' };
        return source;
      }
      case 'Add':
        return add({ kind: 'add', inputs: sources, size: sizeOf(source) });
      case 'AveragePooling2D': {
        const [side = 0] = config.pool_size ?? [];
        const [height, width, channels] = sizeOf(source);
        if (side !== height || side !== width) throw unknown(layer);
        return add({ kind: 'average-pool', inputs: [source], size: [1, 1, channels], side });
      }
      // The order of the numbers stays, and a dropout is for training.
      case 'Flatten':
      case 'Dropout':
        return source;
      case 'Dense': {
        const made = dense(layer, source);
        const index = add(made);
        if (config.activation !== 'softmax') return index;
        return add({ kind: 'softmax', inputs: [index], size: made.size });
      }
      default:
        throw unknown(layer);
    }
  };

  for (const layer of layers) makerOf.set(layer.name, make(layer));
  return { input, operators };
}

const unknown = ({ name, class_name: kind }: KerasLayer): Error =>
  new Error(`the content model has a layer that cannot be converted: ${name} (${kind})`);

/** Keras has the outputs as the last dimension, TFLite as the first. */
function outputsFirst(values: Float32Array, outputs: number): Float32Array {
  const perOutput = values.length / outputs;
  const moved = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 1)
    moved[(i % outputs) * perOutput + Math.floor(i / outputs)] = values[i] ?? 0;
  return moved;
}
