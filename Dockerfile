# Node runs the TypeScript as it is: there is nothing to build.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# Few heaps for many threads: with one for each, what large results took would stay taken several times over.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /app

COPY package.json package-lock.json .npmrc ./
# Of the packages that find faces and look at content, only what src/faces/models.ts and src/safety/content/keras-model.ts read: 18 of 107 MB.
RUN npm ci --omit=dev && npm cache clean --force \
  && find node_modules/@litertjs/core/wasm -type f ! -name 'litert_wasm_compat_internal.*' -delete \
  && find node_modules/@mediapipe -type f \( -name '*wasm_bin*' -o -name '*_landscape.tflite' \) -delete \
  && find node_modules/nsfwjs/dist -type f ! -path '*/mobilenet_v2/*' ! -path '*/cjs/models/mobilenet_v2.js' ! -name package.json -delete

COPY commands ./commands
COPY src ./src

# The one folder that is written to: the store, and what the embedded generation service keeps.
RUN mkdir data && chown node:node data
VOLUME /app/data

USER node
# Inside a container the loopback address reaches nobody; compose.yaml publishes the port on the host's.
ENV HTTP_HOST=0.0.0.0 HTTP_PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "src/main.ts"]
